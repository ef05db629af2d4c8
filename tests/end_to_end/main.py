"""The whole way of a new user, in the real window: first run, a model from a hub, a file dragged in from
another program, a summary, a question about page 2, a cloud question with a phone number and a Chinese ID,
one entity edited in the preview, the bytes that arrived compared with the bytes that were approved, the
ledger, and local-only. Pictures are taken on the way, in both languages and themes.

It needs a screen, a session bus and a keychain; `cargo xtask e2e` brings them. All personal data here is
invented and put together at run time.
"""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading

import documents
import servers
from driver import CONTROL, Window

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = pathlib.Path(os.environ["NEARSIDE_SHOTS"])
APP, CLI = os.environ["NEARSIDE_APP"], os.environ["NEARSIDE_CLI"]
MODEL = "smollm2-135m"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
DRIVER_PORT = 4444


def say(text):
    print(f"   {text}", flush=True)


class Journey:
    def __init__(self, scratch):
        self.scratch = scratch
        self.data, self.models = scratch / "data 数据", scratch / "models"
        self.started = []
        self.count = 0

    # Preparing and ending.

    def start(self):
        self.models.mkdir()
        servers.Hub.files = {MODEL_FILE: weights(MODEL)}
        self.hub = servers.serve(servers.Hub)
        self.llama = servers.Llama(
            os.environ["NEARSIDE_TEST_PYTHON"], str(ROOT / "crates/cloud/tests/llama_server.py"), weights(MODEL))
        servers.Recorder.behind = self.llama.port
        self.cloud_port = servers.serve(servers.Recorder)
        self.run("openbox")
        self.driver = self.run("WebKitWebDriver", f"--port={DRIVER_PORT}", "--host=127.0.0.1")
        self.open()

    def open(self):
        environment = {"NEARSIDE_DATA_DIR": str(self.data), "NEARSIDE_MODELS_DIR": str(self.models),
                       "LANG": "en_US.UTF-8",
                       # What tauri-driver sets: the web view lets itself be driven.
                       "TAURI_AUTOMATION": "true", "TAURI_WEBVIEW_AUTOMATION": "true"}
        wrapper = self.scratch / "start.sh"
        lines = [f"export {name}='{value}'" for name, value in environment.items()]
        wrapper.write_text("#!/bin/sh\n" + "\n".join(lines) + f"\nexec '{APP}' \"$@\"\n")
        wrapper.chmod(0o755)
        self.environment = os.environ | environment

        def connect():
            try:
                return Window(f"http://127.0.0.1:{DRIVER_PORT}", str(wrapper))
            except OSError:
                return None

        self.window = Window.until(None, "the driver to open the window", connect, 20)

    def run(self, *words):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.started.append(process)
        return process

    def end(self):
        try:
            self.window.close()
        except Exception:
            pass
        for process in reversed(self.started):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        if hasattr(self, "llama"):
            self.llama.stop()

    def picture(self, name):
        self.count += 1
        subprocess.run(["import", "-window", "root", str(SHOTS / f"{self.count:02}-{name}.png")], check=True)

    # Small things that every step needs.

    def settings(self, **changes):
        """Changes settings as the settings page does, through the same command."""
        return self.command("settings_update", {"patch": changes})

    def command(self, name, arguments=None):
        done = self.window.script(
            """window.__test_answer = undefined;
               window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
                 .then((value) => { window.__test_answer = {value}; },
                       (error) => { window.__test_answer = {error}; });""", name, arguments or {})
        answer = self.window.until(f"{name} to answer", lambda: self.window.script("return window.__test_answer"))
        if "error" in answer:
            raise AssertionError(f"{name}: {answer['error']}")
        return answer.get("value", done)

    def appearance(self, name):
        """One picture in each language and theme, ending where it began."""
        for language in ("en", "zh-CN"):
            for theme in ("light", "dark"):
                self.settings(language=language, theme=theme)
                self.window.until("the language to change", lambda: self.window.script(
                    "return document.documentElement.lang") == language)
                self.window.until("the theme to change", lambda: self.window.script(
                    "return document.documentElement.dataset.theme") == theme)
                self.picture(f"{name}-{language}-{theme}")
        self.settings(language="en", theme="light")

    def ask(self, text):
        """Sends a message and waits until its answer has ended. Returns the answer's text and state."""
        before = len(self.window.elements('[data-testid="footer"]'))
        self.window.fill("composer", text)
        self.window.click("send")
        return before

    def answered(self, before, seconds=240):
        self.window.until("the answer to end", lambda: len(
            self.window.elements('[data-testid="footer"]')) > before and not self.window.exists("stop"), seconds)
        return self.window.texts("answer")[-1]

    # The steps.

    def first_run(self):
        window = self.window
        window.find("welcome")
        self.picture("welcome-language")
        window.click("welcome-next")
        self.picture("welcome-machine")
        window.click("welcome-next")
        self.picture("welcome-privacy")
        window.click("welcome-next")
        self.picture("welcome-ready")
        window.click("welcome-next")
        window.gone("welcome")
        window.find("composer")
        self.appearance("empty")

    def fetch_model(self):
        window = self.window
        self.settings(hub_endpoint=f"http://127.0.0.1:{self.hub}")
        window.click("nav-models")
        row = f'[data-testid="model-row"][data-model="{MODEL}"]'
        window.until("the model's row", lambda: window.elements(row))
        window.script("document.querySelector(arguments[0] + ' [data-testid=\"model-fetch\"]').click()", row)
        window.until("the model to be installed", lambda: window.script(
            "return document.querySelector(arguments[0])?.dataset.state", row) == "installed", 300)
        # Greedy, so that the same question has the same answer in each run.
        self.settings(chat_model=MODEL, temperature_milli=0)
        self.appearance("models")
        window.click("nav-chat")

    def drag_in(self):
        window = self.window
        self.facts = facts()
        file = self.scratch / "annual review.pdf"
        file.write_bytes(documents.pdf(self.facts))
        source = subprocess.Popen(["/usr/bin/python3", str(ROOT / "tests/end_to_end/drag_source.py"), str(file)],
                                  stdout=subprocess.PIPE, text=True)
        self.started.append(source)
        assert source.stdout.readline().strip() == "ready"
        place = geometry("drag source")
        x, y = place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"] // 2
        move(x, y)
        xdotool("mousedown", "1")
        for step in range(1, 21):
            move(x - step * 22, y - step * 16)
        window.until("the overlay of the drop", lambda: window.exists("drop-overlay") or (nudge(x - 440, y - 320)))
        self.picture("drop-overlay")
        xdotool("mouseup", "1")
        window.until("the chip of the file", lambda: window.attribute("file-chip", "data-state") == "ok")
        assert "12" in window.text("file-chip"), window.text("file-chip")
        self.picture("chip")
        source.terminate()

    def summarise(self):
        before = self.ask("Summarise this document.")
        self.window.find("stop")
        self.picture("summary-under-way")
        text = self.answered(before, 400)
        assert text.strip(), "the summary is empty"
        coverage = self.window.text("footer-coverage")
        assert "12" in coverage, coverage
        self.appearance("summary")

    def page_two(self):
        before = self.ask("What is the code name of the greenhouse project?")
        text = self.answered(before)
        assert self.code_name in text, text
        citations = self.window.texts("citation")
        assert any("2" in citation for citation in citations), citations
        self.picture("page-two")

    def cloud(self):
        window = self.window
        provider = {"name": "test", "base_url": f"http://127.0.0.1:{self.cloud_port}/v1", "model": MODEL,
                    "context_length": 2048, "price_in": None, "price_out": None, "currency": None,
                    "has_key": False}
        self.settings(provider=provider)
        key = "test-" + "".join(random.choices("abcdefghjkmnpqrstuvwxyz", k=24))
        window.click("nav-settings")
        window.fill("settings-key", key)
        window.click("settings-key-save")
        window.until("the key to be kept", lambda: window.exists("settings-key-clear"))
        window.click("settings-test")
        window.until("the cloud to answer", lambda: window.attribute(
            "settings-test-result", "data-reachable") == "true")
        self.picture("settings-cloud")
        window.click("new-conversation") if window.exists("new-conversation") else window.keys(CONTROL, "n")
        window.click("route-cloud")
        phone, identity = phone_number(), resident_id()
        question = f"Write one short line to 13-year customer Zhou. Phone {phone}, 身份证号 {identity}, mail zhou@example.com."
        before = self.ask(question)
        window.find("approval")
        self.appearance("approval")
        rows = window.elements('[data-testid="entity-row"]')
        assert len(rows) >= 3, window.texts("entity-row")
        outgoing = window.attribute("approval", "data-sha256")
        window.script("""const row = document.querySelector('[data-testid="entity-row"][data-type="EMAIL"]');
                         row.querySelector('[data-testid="entity-edit"]').click();""")
        window.fill("entity-edit-box", "the usual address")
        window.click("entity-edit-apply")
        window.until("the preview to change", lambda: window.attribute("approval", "data-sha256") != outgoing)
        approved = window.attribute("approval", "data-sha256")
        self.picture("approval-edited")
        window.click("approval-send")
        window.gone("approval")
        self.answered(before)
        body = servers.Recorder.bodies[-1]
        assert hashlib.sha256(body).hexdigest() == approved, "other bytes arrived than were approved"
        text = body.decode()
        for value in (phone, identity, "zhou@example.com"):
            assert value not in text, f"{value} left the machine"
        assert "the usual address" in text
        assert servers.Recorder.keys[-1] == f"Bearer {key}", "the key did not come from the keychain"
        self.picture("cloud-answer")
        window.click("nav-ledger")
        window.until("the ledger's row", lambda: approved in [
            window.script("return arguments[0].dataset.sha256", {"element-6066-11e4-a52e-4f735466cecf": row})
            for row in window.elements('[data-testid="ledger-row"]')])
        window.click("ledger-verify")
        window.until("the ledger to be intact", lambda: window.attribute(
            "ledger-verdict", "data-intact") == "true")
        self.appearance("ledger")
        for file in self.data.rglob("*"):
            if file.is_file():
                content = file.read_bytes()
                for value in (phone, identity, key):
                    assert value.encode() not in content, f"{value} lies unsealed in {file.name}"

    def local_only(self):
        window = self.window
        sent = len(servers.Recorder.bodies)
        self.settings(local_only=True)
        window.click("nav-chat")
        window.find("local-only")
        refusal = self.window.script(
            """window.__test_answer = undefined;
               window.__TAURI_INTERNALS__.invoke("cloud_check").then(
                 (value) => { window.__test_answer = JSON.stringify(value); },
                 (error) => { window.__test_answer = JSON.stringify(error); });""")
        refusal = window.until("cloud_check", lambda: window.script("return window.__test_answer"))
        assert "local-only" in refusal.lower(), refusal
        # The cloud is still chosen in the composer: the engine refuses, says why, and sends nothing.
        self.ask("And one more line.")
        window.until("the refusal", lambda: "local-only" in "".join(window.texts("failure")).lower())
        window.gone("stop")
        assert len(servers.Recorder.bodies) == sent, "something was sent in local-only mode"
        self.picture("local-only")

    def command_line_attaches(self):
        answer = subprocess.run([CLI, "conversations", "list", "--json"], env=self.environment,
                                capture_output=True, text=True, timeout=60)
        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout)["items"], answer.stdout

    def killed_and_back(self):
        """kill -9 in the middle of an answer: the next start is clean and the conversation is there."""
        window = self.window
        window.click("route-local")
        # Long enough to be read for seconds: a small model may end an answer after one sentence.
        self.ask("Summarise this in ten chapters. " + " ".join(facts() * 6))
        window.find("stop")
        subprocess.run(["pkill", "-9", "-f", f"^{APP}"], check=True)
        try:
            window.close()
        except Exception:
            pass
        self.open()
        rows = self.window.until("the conversations", lambda: self.window.elements('[data-testid="conversation-row"]'))
        assert len(rows) >= 2
        self.picture("after-kill")


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


Journey.code_name = "Marigold"


def phone_number():
    return "138" + "".join(random.choices("0123456789", k=8))


def resident_id():
    digits = "110101" + "19900307" + "".join(random.choices("0123456789", k=3))
    weight = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    return digits + "10X98765432"[sum(int(d) * w for d, w in zip(digits, weight)) % 11]


def xdotool(*words):
    return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True).stdout


def move(x, y):
    xdotool("mousemove", "--sync", str(x), str(y))


def nudge(x, y):
    """A drag is noticed on movement; the pointer goes to and fro while the window is waited for."""
    move(x + 3, y)
    move(x, y)


def geometry(title):
    window = xdotool("search", "--sync", "--name", f"^{title}$").split()[0]
    lines = xdotool("getwindowgeometry", "--shell", window).split()
    return {name: int(value) for name, value in (line.split("=") for line in lines)}


STEPS = ["first_run", "fetch_model", "drag_in", "summarise", "page_two", "cloud", "command_line_attaches",
         "local_only", "killed_and_back"]


def main():
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="nearside-e2e-"))
    journey = Journey(scratch)
    # A step that hangs ends the test with a picture of where it hung.
    threading.Timer(1500, lambda: os.kill(os.getpid(), 2)).start()
    try:
        say("start")
        journey.start()
        for step in STEPS:
            say(step)
            getattr(journey, step)()
    except BaseException:
        try:
            journey.picture("failed")
            (SHOTS / "failed.html").write_text(journey.window.script("return document.documentElement.outerHTML"))
        except Exception:
            pass
        raise
    finally:
        journey.end()
        shutil.rmtree(scratch, ignore_errors=True)
    say("passed")
    os._exit(0)


if __name__ == "__main__":
    try:
        main()
    except BaseException as error:
        import traceback
        traceback.print_exception(error)
        os._exit(1)
