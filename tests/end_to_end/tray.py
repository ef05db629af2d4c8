"""The desktop around the window: the tray and its menu in both languages, a second start, the global
shortcut, starting with the system, notifications, the window's state kept; and a desktop without a tray,
where closing the window must quit rather than trap the user.
"""
import configparser
import json
import shlex
import subprocess

from journey import APP, CLI, ROOT, SYSTEM_PYTHON, Journey, alive, facts, geometry, in_front, shown, xdotool
from services import Services

TITLE = "Nearside"
ENGLISH = ["Open Nearside", "New chat", "Dictate", "Local only", "Pause indexing", "Settings…", "Quit"]
CHINESE = ["打开近端", "新对话", "听写", "仅限本机", "暂停索引", "设置…", "退出"]


class Desktop(Journey):
    def close_window(self):
        """As a person closes it: through the window manager."""
        self.in_front()
        xdotool("key", "alt+F4")

    def in_front(self):
        self.until("the window to be in front", lambda: in_front() == TITLE, 20)

    def another_in_front(self):
        """Another program's window takes the keyboard."""
        other = self.run(SYSTEM_PYTHON, str(ROOT / "tests/end_to_end/drag_source.py"), str(self.scratch),
                         stdout=subprocess.PIPE, text=True)
        assert other.stdout.readline().strip() == "ready"
        self.until("the other window to be in front", lambda: (
            xdotool("search", "--sync", "--name", "^drag source$", "windowactivate"), in_front() == "drag source")[1], 20)
        return other


class Tray(Desktop):
    name = "tray"
    STEPS = ["menu", "local_only", "pause_indexing", "pages", "closing_hides", "second_start", "shortcut",
             "autostart", "notification", "state_is_kept", "quit_from_the_tray"]

    def variables(self):
        # How long an answer takes depends on the machine; that its end is told must not.
        return super().variables() | {"NEARSIDE_LONG_JOB_SECONDS": "0"}

    def begin(self):
        self.services = Services(self, "tray", "notifications")
        super().begin()
        self.window.find("composer")

    def menu(self):
        item = self.services.item()
        assert item["status"] == "Active" and item["icon"], item
        assert self.services.labels() == ENGLISH, self.services.labels()
        self.speaks("zh-CN")
        self.until("the menu in Chinese", lambda: self.services.labels() == CHINESE, 10)
        self.picture("chinese")
        self.speaks("en")
        self.until("the menu in English", lambda: self.services.labels() == ENGLISH, 10)

    def local_only(self):
        self.services.toggled("Local only", 0)
        self.services.press("Local only")
        self.services.toggled("Local only", 1)
        self.window.find("local-only")
        assert self.command("settings_get")["local_only"] is True
        self.picture("local-only")
        # From the window's side too: the mark follows the setting.
        self.settings(local_only=False)
        self.services.toggled("Local only", 0)
        self.window.gone("local-only")

    def pause_indexing(self):
        folder = self.scratch / "papers"
        folder.mkdir()
        (folder / "note.txt").write_text("The greenhouse needs a new roof in May.")
        self.services.press("Pause indexing")
        self.services.toggled("Pause indexing", 1)
        assert self.refused("library_add", {"path": str(folder), "channel": self.channel()})["code"] == "indexing_paused"
        self.services.press("Pause indexing")
        self.services.toggled("Pause indexing", 0)
        self.command("library_add", {"path": str(folder), "channel": self.channel()})
        assert len(self.command("library_list")) == 1

    def pages(self):
        self.services.press("Settings…")
        self.window.find("settings-desktop")
        self.services.press("New chat")
        self.window.find("first-file")

    def closing_hides(self):
        self.close_window()
        self.until("the window to hide", lambda: not shown(TITLE), 20)
        assert alive(self.pid)
        self.services.press("Open Nearside")
        self.until("the window to be back", lambda: shown(TITLE), 20)
        self.in_front()

    def second_start(self):
        other = self.another_in_front()
        second = subprocess.run([self.wrapper()], timeout=30, capture_output=True)
        assert second.returncode == 0, second
        self.in_front()
        assert len(shown(TITLE)) == 1, "a second window was opened"
        # The wrapper wrote the second start's process id down; the first one's is what counts.
        (self.scratch / "pid").write_text(str(self.pid))
        other.terminate()

    def shortcut(self):
        other = self.another_in_front()
        xdotool("key", "ctrl+shift+space")
        self.in_front()
        # And from hiding, by the next shortcut, without the old one still being held.
        self.settings(global_shortcut="CommandOrControl+Alt+J")
        self.close_window()
        self.until("the window to hide", lambda: not shown(TITLE), 20)
        xdotool("key", "ctrl+alt+j")
        self.until("the window to be back", lambda: shown(TITLE), 20)
        self.in_front()
        other.terminate()

    def autostart(self):
        entry = self.home / "config/autostart/nearside.desktop"
        assert not entry.exists()
        self.window.click("nav-settings")
        self.window.click("settings-autostart")
        self.until("the desktop entry", entry.exists, 20)
        self.picture("settings-desktop")
        read = configparser.RawConfigParser()
        read.optionxform = str
        read.read_string(entry.read_text())
        words = shlex.split(read["Desktop Entry"]["Exec"])
        assert words == [APP, "--hidden"], words
        self.window.click("settings-autostart")
        self.until("the desktop entry to go", lambda: not entry.exists(), 20)
        assert not (self.home / ".config/autostart").exists()
        self.window.click("nav-chat")

    def notification(self):
        """A long answer ends while another window is in front: a notification, with no content in it."""
        self.settings(max_tokens=400)
        before = self.ask("Repeat this review word for word. " + " ".join(facts()[:3] * 3))
        other = self.another_in_front()
        self.answered(before)
        told = self.until("the notification", lambda: self.services.ask("notifications"), 20)
        assert [(note["summary"], note["body"]) for note in told] == [("Nearside", "The answer is ready")], told
        other.terminate()

    def state_is_kept(self):
        place = geometry(TITLE)
        window = shown(TITLE)[0]
        xdotool("windowsize", "--sync", window, "900", "620")
        xdotool("windowmove", "--sync", window, "140", "90")
        wanted = self.until("the new place", lambda: (now := geometry(TITLE)) != place and now, 20)
        # Hidden when it quits: the next start shows it all the same.
        self.close_window()
        self.until("the window to hide", lambda: not shown(TITLE), 20)
        self.services.press("Quit")
        self.forget_window()
        self.open()
        self.window.find("composer")
        self.until("the window to be shown", lambda: shown(TITLE), 20)
        again = geometry(TITLE)
        assert (again["WIDTH"], again["HEIGHT"]) == (wanted["WIDTH"], wanted["HEIGHT"]), (again, wanted)
        assert abs(again["X"] - wanted["X"]) < 12 and abs(again["Y"] - wanted["Y"]) < 40, (again, wanted)

    def quit_from_the_tray(self):
        self.services.press("Quit")
        self.forget_window()
        # Started with the system it stays in the tray, and a second start brings it.
        self.open("--hidden")
        self.services.item()
        assert not shown(TITLE)
        listed = subprocess.run([CLI, "conversations", "list", "--json"], env=self.environment, capture_output=True, text=True)
        assert json.loads(listed.stdout)["items"], listed
        self.services.press("Open Nearside")
        self.until("the window to be shown", lambda: shown(TITLE), 20)
        # The desktop loses its tray: closing now quits.
        self.services.end()
        self.close_window()
        self.forget_window()


class NoTray(Desktop):
    name = "no-tray"
    STEPS = ["closing_quits", "hidden_is_shown"]

    def closing_quits(self):
        self.window.find("composer")
        assert self.command("app_info")["tray"] is False
        self.window.click("nav-settings")
        self.window.find("settings-tray")
        self.picture("settings")
        self.close_window()
        self.forget_window()

    def hidden_is_shown(self):
        """Nobody could bring a hidden window back here."""
        self.open("--hidden")
        self.until("the window to be shown", lambda: shown(TITLE), 20)
