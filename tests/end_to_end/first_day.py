"""A new user's way: first run, a model from a hub, a file dragged in from another program, a summary, a
question about page 2, a cloud question with a phone number and a Chinese ID, one entity edited in the
preview, the bytes that arrived compared with the bytes that were approved, the ledger, local-only, and a
kill in the middle of an answer. All personal data here is invented and put together at run time.
"""
import hashlib
import json
import random
import subprocess

import documents
import servers
from driver import CONTROL
from journey import CLI, MODEL, Journey, facts, phone_number, resident_id


class FirstDay(Journey):
    name = "first"
    STEPS = ["first_run", "fetch_model", "drag_in", "summarise", "page_two", "cloud", "command_line_attaches",
             "local_only", "killed_and_back"]

    def begin(self):
        # A data folder that does not exist and a machine without a model.
        self.open()

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
        self.settings(hub_endpoint=f"http://127.0.0.1:{self.world.hub}")
        window.click("nav-models")
        row = f'[data-testid="model-row"][data-model="{MODEL}"]'
        window.until("the model's row", lambda: window.elements(row))
        window.script("document.querySelector(arguments[0] + ' [data-testid=\"model-fetch\"]').click()", row)
        window.until("the model to be installed", lambda: window.script(
            "return document.querySelector(arguments[0])?.dataset.state", row) == "installed", 300)
        asked = len(servers.Hub.asked)
        assert asked > 0
        self.command("model_fetch", {"name": MODEL, "channel": self.channel()})
        assert len(servers.Hub.asked) == asked, "what is here was fetched again"
        # Greedy, so that the same question has the same answer in each run.
        self.settings(chat_model=MODEL, temperature_milli=0)
        self.appearance("models")
        window.click("nav-chat")

    def drag_in(self):
        window = self.window
        self.facts = facts()
        file = self.scratch / "annual review.pdf"
        file.write_bytes(documents.pdf(self.facts))
        self.drop(file, lambda: self.picture("drop-overlay"))
        window.until("the chip of the file", lambda: window.attribute("file-chip", "data-state") == "ok")
        assert "12" in window.text("file-chip"), window.text("file-chip")
        self.picture("chip")

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
        provider = {"name": "test", "base_url": f"http://127.0.0.1:{self.world.cloud_port}/v1", "model": MODEL,
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
        window.fill("own-wish", "ORG")
        window.fill("own-names", "Halcyon, 晨曦项目")
        window.click("own-add")
        window.until("the list to be kept", lambda: "Halcyon" in window.text("own-list"))
        self.picture("settings-own-list")
        window.click("new-conversation") if window.exists("new-conversation") else window.keys(CONTROL, "n")
        window.click("route-cloud")
        phone, identity = phone_number(), resident_id()
        question = f"Write one short line about Halcyon to 13-year customer Zhou. Phone {phone}, 身份证号 {identity}, mail zhou@example.com."
        before = self.ask(question)
        window.find("approval")
        self.appearance("approval")
        rows = window.elements('[data-testid="entity-row"]')
        assert len(rows) >= 3, window.texts("entity-row")
        window.script("""document.querySelector('[data-testid="entity-row"][data-type="NATIONAL_ID"]')
                                 .querySelector('[data-testid="entity-always"]').click();""")
        window.until("the value to be on the list", lambda: [
            {"type": "NATIONAL_ID", "names": [identity]}] == self.command("own_list_get", {})["hide"][1:])
        outgoing = window.attribute("approval", "data-sha256")
        window.fill("approval-more", "13-year customer")
        window.fill("approval-more-type", "ACCOUNT")
        window.click("approval-more-hide")
        window.until("the preview to change", lambda: window.attribute("approval", "data-sha256") != outgoing)
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
        for value in (phone, identity, "zhou@example.com", "Halcyon", "13-year"):
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
        refusal = json.dumps(self.command("cloud_check"))
        assert "local-only" in refusal.lower(), refusal
        # The cloud cannot be chosen any more, and says why; what is asked now stays here.
        assert window.attribute("route-cloud", "aria-disabled") == "true"
        assert "Local-only" in window.attribute("route-cloud", "title")
        window.click("route-cloud")
        window.until("the reason", lambda: "Local-only" in "".join(window.texts("notice")))
        assert window.attribute("route-local", "aria-checked") == "true"
        self.settings(max_tokens=24)
        self.answered(self.ask("And one more line."))
        # The command line, which attaches to the window's engine, is refused by it.
        told = subprocess.run([CLI, "ask", "One more.", "--route", "cloud", "--conversation", self.command(
            "conversations_list")[0]["id"]], env=self.environment, capture_output=True, text=True, timeout=60)
        assert told.returncode == 5 and "local-only" in told.stderr.lower(), told
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
        self.kill()
        self.open()
        rows = self.window.until("the conversations", lambda: self.window.elements('[data-testid="conversation-row"]'))
        assert len(rows) >= 2
        self.picture("after-kill")
