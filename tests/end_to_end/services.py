"""The other end of desktop_services.py: asks the tray and the notification server of the test."""
import json
import subprocess

from journey import ROOT, SYSTEM_PYTHON


class Services:
    def __init__(self, journey, *names):
        self.journey = journey
        self.process = journey.run(SYSTEM_PYTHON, str(ROOT / "tests/end_to_end/desktop_services.py"), *names,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline().strip() == "ready", "the desktop's services did not start"

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        if "error" in said:
            raise LookupError(said["error"])
        return said["value"]

    def item(self):
        return self.journey.until("the tray's item", lambda: self.ask("items"), 20)[-1]

    def labels(self):
        return [entry["label"] for entry in self.ask("menu") if entry["type"] == "standard"]

    def entry(self, label):
        """The entry once the menu has it: the menu is written anew after each change."""
        return self.journey.until(f"the menu's entry {label}", lambda: next(
            (entry for entry in self.ask("menu") if entry["label"] == label), None), 10)

    def press(self, label):
        self.ask(f"press {self.entry(label)['id']}")

    def toggled(self, label, wanted):
        self.journey.until(f"{label} to be {wanted}", lambda: self.entry(label)["toggle"] == wanted, 10)

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)
