"""The data folder from the window: shown, exported whole, moved, restored, erased, each through the buttons
and the system's own file dialogs, and each looked up on the disk: nothing is lost by a move, nothing is left
by an erasure. The window starts itself again after most of them, outside the driver; the driver then opens
the next one.
"""
import os
import signal
import subprocess

from journey import CLI, MODEL, Journey, alive, phone_number, shown

PASSPHRASE = "a long enough passphrase"


class DataFolder(Journey):
    name = "data"
    STEPS = ["fill", "shown", "export", "move", "move_refused", "restore", "erase"]

    def begin(self):
        # Where the platform puts data: a folder named by NEARSIDE_DATA_DIR is not the window's to move.
        self.data = self.usual = self.home / "share/nearside"
        self.foreign_keys = keychain_entries()
        super().begin()

    def variables(self):
        variables = super().variables()
        del variables["NEARSIDE_DATA_DIR"]
        return variables

    # Small verbs.

    def click_data(self, button):
        self.window.click("nav-settings")
        self.window.click(f"settings-data-{button}")

    def pick(self, button, path, chosen):
        """Presses the button and chooses the path, until it is `chosen`: a dialog that is slow to come up takes
        the first Enter for Cancel."""
        for _ in range(4):
            self.click_data(button)
            self.choose(path)
            try:
                return self.until(f"{path.name} to be chosen", chosen, 20)
            except AssertionError:
                continue
        raise AssertionError(f"{path} could not be chosen")

    def started_again(self):
        """The program has ended and begun again by itself; it makes way for one that the driver opens."""
        old, self.window = self.pid, None
        self.until("the program to end", lambda: not alive(old), 20)
        program = os.path.realpath(os.environ["NEARSIDE_APP"])
        fresh = self.until("the program to start again", lambda: [
            int(pid) for pid in os.listdir("/proc") if pid.isdigit() and int(pid) != old
            and exe(pid) == program and ours(pid, self.home)], 30)
        self.until("the window", lambda: shown("Nearside"), 30)
        # Once it answers others it has opened the folder.
        self.until("the folder to be open", lambda: self.cli("conversations", "list").returncode == 0, 30)
        self.picture("started-again")
        for pid in fresh:
            if alive(pid):
                os.kill(pid, signal.SIGTERM)
        self.until("it to make way", lambda: not any(alive(pid) for pid in fresh), 20)
        self.world.another_driver()

    def cli(self, *words):
        return subprocess.run([CLI, *words, "--json"], env=self.clean(), capture_output=True, text=True, timeout=60)

    def clean(self):
        return {name: value for name, value in self.environment.items() if name != "NEARSIDE_DATA_DIR"}

    def titles(self):
        return self.window.until("the conversations", lambda: self.window.texts("conversation-row"))

    # The steps.

    def fill(self):
        self.phone = phone_number()
        self.question = f"Is {self.phone} a phone number?"
        self.answered(self.ask(self.question))
        papers = self.scratch / "papers"
        papers.mkdir()
        (papers / "note.txt").write_text("The greenhouse needs a new roof in May.")
        self.command("library_add", {"path": str(papers), "channel": self.channel()})
        provider = {"name": "test", "base_url": f"http://127.0.0.1:{self.world.cloud_port}/v1", "model": MODEL,
                    "context_length": 2048, "price_in": None, "price_out": None, "currency": None, "has_key": False}
        self.settings(provider=provider, autostart=True)
        self.command("cloud_key_set", {"key": "test-key-of-this-journey"})

    def shown(self):
        self.window.click("nav-settings")
        self.window.until("the folder's path", lambda: str(self.data) in self.window.text("settings-data"))
        self.window.script("document.getElementById('settings-data').scrollIntoView()")
        self.appearance("data")

    def export(self):
        self.archive = self.scratch / "all of it.backup"
        self.pick("export", self.archive, lambda: self.window.exists("data-passphrase"))
        self.window.fill("data-passphrase", PASSPHRASE)
        self.window.fill("data-passphrase-again", PASSPHRASE)
        self.picture("passphrase")
        self.window.click("data-passphrase-ok")
        self.until("the archive", self.archive.exists, 30)
        self.window.until("the good news", lambda: self.window.exists("notice"))
        assert self.phone.encode() not in self.archive.read_bytes(), "the export is not sealed"

    def move(self):
        before = content(self.data)
        target = self.scratch / "new place 新"
        target.mkdir()
        self.pick("move", target, lambda: not alive(self.pid))
        self.started_again()
        # Nothing lost: every file is there, and only the note of the new place is left behind.
        assert set(before) <= set(content(target)), set(before) - set(content(target))
        assert [file.name for file in self.usual.iterdir()] == ["moved-to.txt"], list(self.usual.iterdir())
        self.data = target
        self.open()
        self.has_all()
        assert self.command("app_info")["data_dir"] == str(target)

    def has_all(self):
        assert any(self.question in title for title in self.titles()), self.titles()
        self.window.click("conversation-row")
        self.window.until("the question", lambda: self.question in self.window.texts("question"))
        assert len(self.command("library_list")) == 1
        assert self.command("settings_get")["provider"]["model"] == MODEL

    def move_refused(self):
        """Into a folder with something in it: a clear sentence, everything goes on, nothing has moved."""
        taken = self.scratch / "taken"
        taken.mkdir()
        (taken / "mine.txt").write_text("somebody's")
        failure = self.refused("data_move", {"path": str(taken)})
        assert failure["code"] == "folder_not_empty", failure
        self.has_all()
        assert [file.name for file in taken.iterdir()] == ["mine.txt"]

    def restore(self):
        """What was said after the export is gone, what was exported is back."""
        self.command("conversation_delete", {"id": self.command("conversations_list")[0]["id"]})
        self.window.click("new-conversation")
        self.window.find("first-file")
        self.answered(self.ask("What is a roof made of?"))
        failure = self.refused("data_restore", {"path": str(self.archive), "passphrase": "not this one at all"})
        assert failure["code"] == "wrong_passphrase", failure
        assert any("roof" in title for title in self.titles())
        self.pick("restore", self.archive, lambda: self.window.exists("data-passphrase"))
        self.window.fill("data-passphrase", "not this one either")
        self.window.click("data-passphrase-ok")
        self.window.find("data-passphrase-wrong")
        self.window.fill("data-passphrase", PASSPHRASE)
        self.window.click("data-passphrase-ok")
        self.started_again()
        self.open()
        self.has_all()
        assert not any("roof" in title for title in self.titles())

    def erase(self):
        assert keychain_entries() - self.foreign_keys, "there is no key to erase"
        self.click_data("erase")
        self.window.fill("confirm-word", "ERASE")
        self.picture("erase")
        self.window.click("confirm-ok")
        self.started_again()
        # The new start is in the platform's place again; of the old folder nothing is left anywhere.
        assert not self.data.exists(), list(self.data.iterdir())
        assert not (self.usual / "moved-to.txt").exists()
        assert not (self.home / "config/autostart/nearside.desktop").exists()
        # The fresh start has made a key of its own.
        assert len(keychain_entries() - self.foreign_keys) == 1, keychain_entries()
        for file in self.scratch.rglob("*"):
            if file.is_file() and file != self.archive:
                assert self.phone.encode() not in file.read_bytes(), f"{file} still holds the question"
        self.open()
        self.window.find("welcome")
        assert self.command("conversations_list") == []


def content(folder):
    """Every file but those that live as long as a process."""
    return {str(file.relative_to(folder)): file.stat().st_size for file in folder.rglob("*")
            if file.is_file() and file.parent.name != "run" and not file.name.endswith(("-wal", "-shm"))}


def exe(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def ours(pid, home):
    """Whether a process was started with this journey's home."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"HOME={home}".encode() in file.read().split(b"\0")
    except OSError:
        return False


def keychain_entries():
    """The attributes of what the keychain holds of ours."""
    found = subprocess.run(["secret-tool", "search", "--all", "service", "Nearside"], capture_output=True, text=True)
    return {line for line in (found.stdout + found.stderr).splitlines() if line.startswith("attribute.username")}
