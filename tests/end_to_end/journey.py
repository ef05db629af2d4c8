"""What every journey through the real window needs: the servers around it, a driver, a data folder of its
own, the window opened and opened again, pictures, and small verbs. A journey is a class with `STEPS`.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile

import servers
from driver import Window

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = pathlib.Path(os.environ["NEARSIDE_SHOTS"])
APP, CLI = os.environ["NEARSIDE_APP"], os.environ["NEARSIDE_CLI"]
MODEL = "smollm2-135m"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
DRIVER_PORT = 4444
# The Python that has GTK's bindings: the system's own.
SYSTEM_PYTHON = "/usr/bin/python3"


def say(text):
    print(f"   {text}", flush=True)


class World:
    """What is there before any window: a model hub, a cloud, a window manager, the driver."""

    def __init__(self):
        self.started = []
        # Kept while the test runs and handed from the journey that fetched them to those that only need them.
        self.models = pathlib.Path(tempfile.mkdtemp(prefix="nearside-e2e-models-")) / "models"
        self.models.mkdir()

    def start(self):
        servers.Hub.files = {MODEL_FILE: weights(MODEL)}
        self.hub = servers.serve(servers.Hub)
        self.llama = servers.Llama(
            os.environ["NEARSIDE_TEST_PYTHON"], str(ROOT / "crates/cloud/tests/llama_server.py"), weights(MODEL))
        servers.Recorder.behind = self.llama.port
        self.cloud_port = servers.serve(servers.Recorder)
        self.run("openbox")
        self.driver = self.run("WebKitWebDriver", f"--port={DRIVER_PORT}", "--host=127.0.0.1")

    def another_driver(self):
        """After a window that began anew by itself: the driver would wait for the one that it knows."""
        self.driver.kill()
        self.driver.wait()
        self.driver = self.run("WebKitWebDriver", f"--port={DRIVER_PORT}", "--host=127.0.0.1")

    def run(self, *words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.started.append(process)
        return process

    def with_model(self):
        """Puts the small model into the models folder, unless an earlier journey has fetched it."""
        if any(self.models.iterdir()):
            return
        # A folder of versions, or a file that somebody put there.
        kept = pathlib.Path(os.environ["NEARSIDE_WEIGHTS"])
        first = pathlib.Path(weights(MODEL)).relative_to(kept).parts[0]
        if (kept / first).is_dir():
            shutil.copytree(kept / first, self.models / first)
        else:
            shutil.copy(kept / first, self.models / first)

    def end(self):
        end_all(self.started)
        if hasattr(self, "llama"):
            self.llama.stop()
        shutil.rmtree(self.models.parent, ignore_errors=True)


class Journey:
    """One user's way. `name` begins the names of its pictures."""

    name, STEPS = "", []
    code_name = "Marigold"

    def __init__(self, world):
        self.world = world
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nearside-e2e-"))
        self.home = self.scratch / "home 家"
        self.home.mkdir()
        self.data = self.scratch / "data 数据"
        self.started = []
        self.count = 0
        self.window = None

    # Preparing and ending.

    def begin(self):
        """Before the first step. The usual user has been here before and has a model."""
        self.world.with_model()
        self.known_user(self.data)
        self.open()

    def known_user(self, folder, **settings):
        folder.mkdir(parents=True, exist_ok=True)
        # Greedy, so that the same question has the same answer in each run.
        usual = {"welcome_done": True, "language": "en", "theme": "light", "chat_model": MODEL,
                 "temperature_milli": 0, "max_tokens": 64}
        (folder / "settings.json").write_text(json.dumps(usual | settings))

    def variables(self):
        """The environment of the window and of the command line."""
        return {"NEARSIDE_DATA_DIR": str(self.data), "NEARSIDE_MODELS_DIR": str(self.world.models),
                "HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "config"),
                "XDG_DATA_HOME": str(self.home / "share"), "XDG_CACHE_HOME": str(self.home / "cache"),
                "LANG": "en_US.UTF-8",
                # What tauri-driver sets: the web view lets itself be driven.
                "TAURI_AUTOMATION": "true", "TAURI_WEBVIEW_AUTOMATION": "true"}

    def wrapper(self):
        """A program that starts the window with the journey's environment and writes its process id down."""
        path = self.scratch / "start.sh"
        lines = [f"export {name}='{value}'" for name, value in self.variables().items()]
        path.write_text("#!/bin/sh\n" + "\n".join(lines) + f"\necho $$ > '{self.scratch}/pid'\nexec '{APP}' \"$@\"\n")
        path.chmod(0o755)
        self.environment = os.environ | self.variables()
        return str(path)

    def open(self, *arguments):
        wrapper = self.wrapper()

        def connect():
            try:
                return Window(f"http://127.0.0.1:{DRIVER_PORT}", wrapper, arguments)
            except OSError:
                return None

        self.window = Window.until(None, "the driver to open the window", connect, 20)
        self.pid = int((self.scratch / "pid").read_text())

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.forget_window()

    def forget_window(self):
        """After the window's process has gone by itself."""
        self.until("the program to end", lambda: not alive(self.pid), 20)
        try:
            self.window.close()
        except Exception:
            pass
        self.window = None

    def run(self, *words, **more):
        process = subprocess.Popen(words, **more)
        self.started.append(process)
        return process

    def end(self):
        if self.window:
            try:
                self.window.close()
            except Exception:
                pass
            # The next journey's start would only bring this one's window forward.
            if alive(self.pid):
                os.kill(self.pid, signal.SIGKILL)
                self.until("the program to end", lambda: not alive(self.pid), 20)
        end_all(self.started)
        shutil.rmtree(self.scratch, ignore_errors=True)

    # Small things that every step needs.

    until = staticmethod(lambda *words: Window.until(None, *words))

    def picture(self, name):
        self.count += 1
        file = SHOTS / f"{self.name}-{self.count:02}-{name}.png"
        subprocess.run(["import", "-window", "root", str(file)], check=True)

    def settings(self, **changes):
        """Changes settings as the settings page does, through the same command."""
        return self.command("settings_update", {"patch": changes})

    def command(self, name, arguments=None):
        done = self.ask_shell(name, arguments)
        if "error" in done:
            raise AssertionError(f"{name}: {done['error']}")
        return done.get("value")

    def refused(self, name, arguments=None):
        """The failure of a command that must not succeed."""
        done = self.ask_shell(name, arguments)
        assert "error" in done, f"{name} succeeded: {done}"
        return done["error"]

    def channel(self):
        """Somebody who listens to what a command tells on the way, and does nothing with it."""
        number = self.window.script("return window.__TAURI_INTERNALS__.transformCallback(() => {})")
        return f"__CHANNEL__:{number}"

    def ask_shell(self, name, arguments):
        self.window.script(
            """window.__test_answer = undefined;
               window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
                 .then((value) => { window.__test_answer = {value}; },
                       (error) => { window.__test_answer = {error}; });""", name, arguments or {})
        return self.window.until(f"{name} to answer", lambda: self.window.script("return window.__test_answer"))

    def speaks(self, language):
        self.settings(language=language)
        self.window.until("the language to change", lambda: self.window.script(
            "return document.documentElement.lang") == language)

    def appearance(self, name):
        """One picture in each language and theme, ending where it began."""
        for language in ("en", "zh-CN"):
            for theme in ("light", "dark"):
                self.settings(theme=theme)
                self.speaks(language)
                self.window.until("the theme to change", lambda: self.window.script(
                    "return document.documentElement.dataset.theme") == theme)
                self.picture(f"{name}-{language}-{theme}")
        self.settings(language="en", theme="light")

    def choose(self, path):
        """Pastes a path into the system's file dialog, which is a window of its own."""
        dialogs = lambda: [window for window in subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "nearside"], capture_output=True,
            text=True).stdout.split() if window not in shown("Nearside")]
        dialog = self.until("the file dialog", dialogs, 20)[-1]
        xdotool("windowactivate", "--sync", dialog)
        subprocess.run(["xclip", "-selection", "clipboard"], input=str(path).encode(), check=True)
        # A dialog that saves has the name ready to be replaced; one that opens shows its field by a slash.
        if path.exists():
            xdotool("key", "slash")
        self.picture("dialog")

        def active():
            return subprocess.run(["xdotool", "getactivewindow"], capture_output=True, text=True).stdout.strip() == dialog

        def closed():
            # Keys go to whatever has the keyboard: a dialog that is still on its way out when they are struck
            # again would hand them to the window behind it, whose own field would take the Return.
            if active():
                xdotool("key", "ctrl+a")
                xdotool("key", "ctrl+v")
                xdotool("key", "Return")
            try:
                return self.until("the dialog to take it", lambda: dialog not in dialogs(), 5)
            except AssertionError:
                return False

        self.until("the dialog to close", closed, 30)

    def drop(self, file, while_over=lambda: None):
        """Drags a file from another program's window onto ours, as XDND has it."""
        source = self.run(SYSTEM_PYTHON, str(ROOT / "tests/end_to_end/drag_source.py"), str(file),
                          stdout=subprocess.PIPE, text=True)
        assert source.stdout.readline().strip() == "ready"
        place = geometry("drag source")
        x, y = place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"] // 2
        move(x, y)
        xdotool("mousedown", "1")
        for step in range(1, 21):
            move(x - step * 22, y - step * 16)
        self.window.until("the overlay of the drop", lambda: self.window.exists("drop-overlay") or nudge(x - 440, y - 320))
        while_over()
        xdotool("mouseup", "1")
        self.window.find("file-chip")
        source.terminate()

    def ask(self, text):
        """Sends a message. Returns how many answers there were before, for `answered`."""
        before = len(self.window.elements('[data-testid="footer"]'))
        self.window.fill("composer", text)
        self.window.click("send")
        return before

    def answered(self, before, seconds=240):
        self.window.until("the answer to end", lambda: len(
            self.window.elements('[data-testid="footer"]')) > before and not self.window.exists("stop"), seconds)
        return self.window.texts("answer")[-1]


def alive(pid):
    """A process that has ended but is not yet collected by its parent has no program any more."""
    try:
        os.readlink(f"/proc/{pid}/exe")
        return True
    except OSError:
        return False


def end_all(processes):
    for process in reversed(processes):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def weights(name):
    """Where the product keeps a model's file, told by itself."""
    answer = subprocess.run([CLI, "models", "list", "--json"], capture_output=True, text=True, check=True,
                            env=os.environ | {"NEARSIDE_MODELS_DIR": os.environ["NEARSIDE_WEIGHTS"]})
    return next(item["path"] for item in json.loads(answer.stdout)["items"] if item["name"] == name)


def facts():
    topics = ["the roof", "the greenhouse", "heating", "water", "the car park", "staff", "insurance", "the lift",
              "solar panels", "security", "cleaning", "next year"]
    pages = [f"Annual review, page {number}. This page is about {topic}. Work on {topic} went as planned and "
             f"cost {number * 1170} euros in total." for number, topic in enumerate(topics, 1)]
    pages[1] += f" The code name of the greenhouse project is {Journey.code_name}."
    return pages


def phone_number():
    return "138" + "".join(random.choices("0123456789", k=8))


def resident_id():
    digits = "110101" + "19900307" + "".join(random.choices("0123456789", k=3))
    weight = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    return digits + "10X98765432"[sum(int(d) * w for d, w in zip(digits, weight)) % 11]


# The screen.

def xdotool(*words):
    return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True).stdout


def move(x, y):
    xdotool("mousemove", "--sync", str(x), str(y))


def nudge(x, y):
    """A drag is noticed on movement; the pointer goes to and fro while the window is waited for."""
    move(x + 3, y)
    move(x, y)


def shown(title):
    """The X11 windows of that title that are on the screen."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", f"^{title}$"], capture_output=True, text=True)
    return found.stdout.split()


def in_front():
    """The title of the window that has the keyboard."""
    found = subprocess.run(["xdotool", "getactivewindow", "getwindowname"], capture_output=True, text=True)
    return found.stdout.strip()


def geometry(title):
    # A search fails while some other window is going; it is asked again.
    window = Window.until(None, f"the window {title}", lambda: shown(title), 20)[0]
    lines = xdotool("getwindowgeometry", "--shell", window).split()
    return {name: int(value) for name, value in (line.split("=") for line in lines)}
