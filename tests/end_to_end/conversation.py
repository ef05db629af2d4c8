"""Inside a conversation: branches made by answering again and by editing, revisited by pointer and keyboard;
a fork; files kept beside the composer of their conversation; the gauge of tokens; the cloud out of reach in
local-only; and in the Chinese window every reason, warning and failure in Chinese.
"""
import re

import documents
from driver import ENTER
from journey import MODEL, Journey, facts

LEFT, RIGHT = "\ue012", "\ue014"


class Conversation(Journey):
    name = "conversation"
    STEPS = ["answer_again", "edit_and_resend", "by_keyboard", "kept", "fork", "files_per_conversation", "gauge",
             "cloud_out_of_reach", "reasons_in_chinese", "warnings_in_chinese", "failures_in_chinese"]

    # Small verbs.

    def branch(self, kind):
        """Where the last question or answer stands among its branches: (2, 3) is the second of three."""
        return self.window.script(
            """const all = [...document.querySelectorAll(`[data-testid="${arguments[0]}"]`)].at(-1)
                 ?.querySelector('[data-testid="branches"]');
               return all ? [Number(all.dataset.at), Number(all.dataset.of)] : null;""", kind)

    def press_in(self, kind, test_id):
        """Presses a button of the last question or answer, also one that is only shown under the pointer."""
        self.window.until(f"{test_id} of the {kind}", lambda: self.window.script(
            """const button = [...document.querySelectorAll(`[data-testid="${arguments[0]}"]`)].at(-1)
                 ?.querySelector(`[data-testid="${arguments[1]}"]:not(:disabled)`);
               button?.click();
               return button !== undefined && button !== null;""", kind, test_id))

    def stands(self, kind, at, of):
        self.window.until(f"the {kind} to be {at} of {of}", lambda: self.branch(kind) == [at, of], 90)

    def last(self, kind):
        return self.window.texts(kind)[-1]

    # The steps.

    def answer_again(self):
        self.settings(max_tokens=12)
        self.answered(self.ask("Name a colour."))
        first = self.window.attribute("answer", "data-message")
        assert self.branch("answer") is None, "one answer is no branch"
        self.press_in("answer", "regenerate")
        self.stands("answer", 2, 2)
        assert self.window.attribute("answer", "data-message") != first
        self.press_in("answer", "branch-earlier")
        self.stands("answer", 1, 2)
        assert self.window.attribute("answer", "data-message") == first
        self.appearance("branches")

    def edit_and_resend(self):
        self.press_in("question", "edit")
        self.window.fill("edit-box", "Name an animal.")
        self.window.click("edit-send")
        self.stands("question", 2, 2)
        self.window.until("the answer to end", lambda: not self.window.exists("stop"), 90)
        assert "animal" in self.last("question")
        # The answer to the edited question has no branches; the one before had two.
        assert self.branch("answer") is None
        self.press_in("question", "branch-earlier")
        self.stands("question", 1, 2)
        assert "colour" in self.last("question")
        assert self.branch("answer") is not None

    def by_keyboard(self):
        """The arrow keys go to and fro, and the focus stays at the place."""
        self.window.script("""document.querySelector('[data-testid="question"] [data-testid="branch-later"]').focus()""")
        self.window.keys(RIGHT)
        self.stands("question", 2, 2)
        self.focused_in_branches()
        self.window.keys(LEFT)
        self.stands("question", 1, 2)
        self.focused_in_branches()
        self.window.keys(ENTER)
        self.stands("question", 2, 2)

    def focused_in_branches(self):
        self.window.until("the focus in the branches", lambda: self.window.script(
            "return document.activeElement?.closest('[data-testid=\"branches\"]') !== null"))

    def kept(self):
        """Another start shows the branch that was shown last, and the others are still there."""
        self.window.close()
        self.open()
        self.window.click("conversation-row")
        self.stands("question", 2, 2)
        self.press_in("question", "branch-earlier")
        self.stands("question", 1, 2)

    def fork(self):
        before = len(self.window.elements('[data-testid="conversation-row"]'))
        self.press_in("answer", "fork")
        self.window.until("the fork in the list", lambda: len(
            self.window.elements('[data-testid="conversation-row"]')) == before + 1)
        self.window.until("the copy", lambda: "colour" in self.last("question") and self.branch("question") is None)

    def files_per_conversation(self):
        self.file = self.scratch / "review 审查.pdf"
        self.file.write_bytes(documents.pdf(facts()))
        self.drop(self.file)
        self.window.until("the chip", lambda: self.window.attribute("file-chip", "data-state") == "ok")
        self.window.fill("composer", "half a thought")
        rows = '[data-testid="conversation-row"]'
        self.window.script("document.querySelectorAll(arguments[0])[1].querySelector('button').click()", rows)
        self.window.gone("file-chip")
        self.window.script("document.querySelectorAll(arguments[0])[0].querySelector('button').click()", rows)
        self.window.until("the chip again", lambda: self.window.exists("file-chip"))
        assert self.window.script("return document.querySelector('[data-testid=\"composer\"]').value") == "half a thought"

    def gauge(self):
        tokens = lambda: int(self.window.attribute("token-gauge", "data-tokens"))
        with_file = tokens()
        assert with_file > 300, with_file
        assert self.window.attribute("token-gauge", "data-holds") == "8192"
        self.window.fill("composer", "a much longer thought " * 40)
        self.window.until("the gauge to rise", lambda: tokens() > with_file + 150)
        self.appearance("gauge")
        self.window.fill("composer", "much too long " * 4000)
        self.window.until("the gauge to be over", lambda: tokens() > 8192)
        self.picture("gauge-over")
        self.window.fill("composer", "")

    def cloud_out_of_reach(self):
        self.window.click("route-cloud")
        self.settings(local_only=True)
        self.window.until("the cloud to be out of reach", lambda: self.window.attribute(
            "route-cloud", "aria-disabled") == "true")
        assert self.window.attribute("route-local", "aria-checked") == "true"
        self.picture("cloud-out-of-reach")
        # By keyboard the arrow goes past it.
        self.window.script("""document.querySelector('[data-testid="route-auto"]').click();
                              document.querySelector('[data-testid="route-auto"]').focus();""")
        self.window.keys(RIGHT)
        self.window.until("the next choice", lambda: self.window.attribute("route-local", "aria-checked") == "true")
        self.settings(local_only=False)
        self.window.until("the cloud to be back", lambda: self.window.attribute("route-cloud", "aria-disabled") is None)

    def reasons_in_chinese(self):
        self.speaks("zh-CN")
        self.settings(max_tokens=48)
        self.window.click("route-auto")
        self.answered(self.ask("这份文件讲什么？"))
        self.window.until("the reason", lambda: (self.press_in("answer", "footer-why"), self.window.exists("details"))[1])
        told = self.window.text("details-reasons") + self.window.text("details-discarded")
        assert not english(told), told
        self.picture("reasons-zh")
        self.settings(theme="dark")
        self.picture("reasons-zh-dark")
        self.settings(theme="light")
        self.window.click("details-close")

    def warnings_in_chinese(self):
        broken = self.scratch / "broken.pdf"
        broken.write_bytes(b"%PDF-1.4\nthis is no document\n%%EOF\n")
        self.window.click("new-conversation")
        self.drop(broken)
        self.window.until("the chip", lambda: self.window.attribute("file-chip", "data-state") == "corrupt")
        title = self.window.attribute("file-chip", "title").replace(str(broken), "")
        assert "损坏" in title and not english(title), title
        self.failed("这份文件讲什么？", "nothing_readable")
        self.picture("nothing-readable-zh")

    def failures_in_chinese(self):
        self.window.click("new-conversation")
        self.failed("太长了。" * 9000, "context_overflow", "8192")
        # A cloud where nobody answers.
        provider = {"name": "test", "base_url": "http://127.0.0.1:9/v1", "model": MODEL, "context_length": 8192,
                    "price_in": None, "price_out": None, "currency": None, "has_key": False}
        self.settings(provider=provider)
        self.command("cloud_key_set", {"key": "test-key-of-this-journey"})
        self.window.click("new-conversation")
        self.window.click("route-cloud")
        self.window.fill("composer", "写一句话。")
        self.window.click("send")
        self.window.find("approval")
        self.picture("approval-zh")
        self.window.click("approval-send")
        self.says("unreachable", "127.0.0.1")

    def failed(self, question, code, *words):
        self.window.fill("composer", question)
        self.window.click("send")
        self.says(code, *words)

    def says(self, code, *words):
        self.window.until(f"the failure {code}", lambda: code in self.window.script(
            "return [...document.querySelectorAll('[data-testid=\"failure\"]')].map((e) => e.dataset.code)"), 120)
        text = self.window.script("return document.querySelector('[data-testid=\"failure\"] p').textContent")
        for word in words:
            assert word in text, text
        assert not english(text), text
        self.picture(f"failure-{code}-zh")


def english(text):
    """English words in a Chinese text; names of models, files, formats and addresses are none."""
    known = r"[\w.-]+\.(pdf|docx|txt)|\d+(\.\d+){3}(:\d+)?|SmolLM2[\w-]*|smollm2-135m|PDF|OCR"
    return re.findall(r"[A-Za-z]{2,}", re.sub(known, "", text))
