"""A WebDriver client as small as this test needs: sessions, elements, keys, scripts, screenshots.

It waits on states of the page and never on a number of seconds; the only sleeps are between two looks.
"""
import base64
import json
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Window:
    def __init__(self, url, application, arguments=()):
        self.url = url
        # What tauri-driver would translate its own options to on Linux; WebKit's driver is spoken to directly.
        options = {"binary": application, "args": list(arguments)}
        capabilities = {"webkitgtk:browserOptions": options}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = "/session/" + answer["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise LookupError(f"{value.get('error')}: {value.get('message')}") from None

    def close(self):
        self.call("DELETE", self.session)

    def script(self, text, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": text, "args": list(arguments)})

    def elements(self, css):
        found = self.call("POST", self.session + "/elements", {"using": "css selector", "value": css})
        return [element[ELEMENT] for element in found]

    def until(self, what, look, seconds=60):
        """The first true value of `look`, or a failure that says what was waited for."""
        end = time.monotonic() + seconds
        while True:
            trouble = ""
            try:
                value = look()
            except LookupError as error:
                value, trouble = None, f" ({error})"
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain for {what}{trouble}")
            time.sleep(0.1)

    def find(self, test_id, seconds=60):
        css = f'[data-testid="{test_id}"]'
        return self.until(css, lambda: self.elements(css), seconds)[0]

    def exists(self, test_id):
        return bool(self.elements(f'[data-testid="{test_id}"]'))

    def gone(self, test_id, seconds=60):
        self.until(f"{test_id} to go", lambda: not self.exists(test_id), seconds)

    def click(self, test_id, seconds=60):
        def press():
            element = self.find(test_id, seconds)
            # WebKit's driver reports success for a click on a disabled button, which does nothing.
            if not self.call("GET", f"{self.session}/element/{element}/enabled"):
                return False
            self.call("POST", f"{self.session}/element/{element}/click", {})
            return True
        self.until(f"{test_id} to take a click", press, seconds)

    def type(self, test_id, text):
        element = self.find(test_id)
        self.call("POST", f"{self.session}/element/{element}/value", {"text": text})

    def fill(self, test_id, text):
        """Sets a field's value as a person's edit would, whatever was in it before."""
        self.find(test_id)
        self.script(
            """const field = document.querySelector(`[data-testid="${arguments[0]}"]`);
               const type = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement
                          : field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
               Object.getOwnPropertyDescriptor(type.prototype, "value").set.call(field, arguments[1]);
               field.dispatchEvent(new Event("input", {bubbles: true}));
               field.dispatchEvent(new Event("change", {bubbles: true}));""",
            test_id, text)

    def text(self, test_id):
        self.find(test_id)
        return self.texts(test_id)[0]

    def texts(self, test_id):
        """What the elements say; the driver's own way leaves out what is scrolled away."""
        return self.script(
            "return [...document.querySelectorAll(`[data-testid=\"${arguments[0]}\"]`)].map((e) => e.textContent.trim())",
            test_id)

    def attribute(self, test_id, name):
        return self.script(
            "return document.querySelector(`[data-testid=\"${arguments[0]}\"]`)?.getAttribute(arguments[1])",
            test_id, name)

    def keys(self, *keys):
        """Presses the keys together: the last is struck while the others are held."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.call("POST", self.session + "/actions",
                  {"actions": [{"type": "key", "id": "keyboard", "actions": down + up}]})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))


CONTROL, ESCAPE, ENTER = "\ue009", "\ue00c", "\ue007"
