// Conversations on the fake client: send, stop, edit, regenerate, continue, branch, approval, failure.
import { describe, expect, it } from "vitest";
import { Attachments } from "$/features/files/attachments.svelte";
import { fakeClient } from "$/ipc/fake/fake";
import type { Client } from "$/ipc/client";
import { Notices } from "$/lib/notices.svelte";
import { Chats } from "./chats.svelte";
import { pathOf } from "./citations";
import { estimateTokens } from "./tokens";

async function made(change: Partial<Client> = {}, settings = {}) {
  const client = { ...fakeClient({ pace: 0, locale: "en", settings }), ...change };
  const notices = new Notices();
  const attachments = new Attachments(client);
  const chats = new Chats(client, notices, attachments);
  await chats.refresh();
  return { client, chats, notices, attachments };
}

/** Waits for a state instead of for luck. */
async function until(test: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !test(); turn++) await new Promise((done) => setTimeout(done, 0));
  expect(test()).toBe(true);
}

describe("Chats", () => {
  it("makes a conversation with its first message and streams the answer", async () => {
    const { chats } = await made();
    chats.startNew();
    chats.draft = "Hello";
    await chats.send("Hello");
    expect(chats.view.messages.map((m) => m.role)).toEqual(["user", "assistant"]);
    expect(chats.view.messages[1]!.state).toBe("complete");
    expect(chats.view.messages[1]!.content).toContain("In short");
    expect(chats.view.live).toBeNull();
    expect(chats.view.spoken).toBe(chats.view.messages[1]!.content);
    expect(chats.list[0]!.title).toBe("Hello");
    expect(chats.draft).toBe("");
  });

  it("edits, answers again and forks", async () => {
    const { chats } = await made();
    await chats.open("c1");
    await chats.resend(chats.view.messages[2]!, "Shorter, please");
    expect(chats.view.messages.map((m) => m.role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(chats.view.messages[2]!.content).toBe("Shorter, please");
    const old = chats.view.messages[3]!.id;
    await chats.regenerate(chats.view.messages[3]!);
    expect(chats.view.messages).toHaveLength(4);
    expect(chats.view.messages[3]!.id).not.toBe(old);
    await chats.fork(chats.view.messages[1]!.id);
    expect(chats.view.id).not.toBe("c1");
    expect(chats.view.messages).toHaveLength(2);
  });

  it("goes to and fro between branches, each with what follows it", async () => {
    const { chats } = await made();
    await chats.open("c1");
    const first = chats.view.messages[2]!;
    await chats.resend(first, "Shorter, please");
    const second = chats.view.messages[2]!;
    expect(second.branches).toEqual([first.id, second.id]);
    await chats.showBranch(first.id);
    expect(chats.view.messages.map((m) => m.id)).toEqual(["m1", "m2", "m3", "m4"]);
    expect(chats.view.messages[2]!.branches).toEqual([first.id, second.id]);
    const answer = chats.view.messages[3]!;
    await chats.regenerate(answer);
    expect(chats.view.messages[3]!.branches[0]).toBe(answer.id);
    await chats.showBranch(second.id);
    expect(chats.view.messages[2]!.content).toBe("Shorter, please");
  });
  it("goes on with a cut answer in the same message", async () => {
    const { chats } = await made();
    await chats.open("c4");
    const cut = chats.view.messages[1]!;
    const before = cut.content;
    await chats.continueAnswer(cut);
    expect(chats.view.messages).toHaveLength(2);
    expect(chats.view.messages[1]!.content.startsWith(before)).toBe(true);
    expect(chats.view.messages[1]!.content.length).toBeGreaterThan(before.length);
  });

  it("stops and keeps what was written", async () => {
    const base = fakeClient({ pace: 0, locale: "en" });
    let press: () => void = () => {};
    const { chats } = await made({
      ...base,
      messageSend: (request, emit) =>
        base.messageSend(request, (event) => {
          emit(event);
          if (event.event === "text") press();
        }),
    });
    press = () => void chats.stop();
    chats.startNew();
    await chats.send("Hello");
    const answer = chats.view.messages.at(-1)!;
    expect(answer.state).toBe("stopped");
    expect(answer.content.length).toBeGreaterThan(0);
    expect(answer.content.length).toBeLessThan(20);
  });

  it("waits for approval, and answers here when told to", async () => {
    const { chats } = await made();
    chats.startNew();
    chats.route = "cloud";
    const sending = chats.send("Call Ms Chen on 138 0013 8000");
    await until(() => chats.view.live?.approval !== null && chats.view.live !== null);
    expect(chats.waits(chats.view.id!)).toBe(true);
    await chats.view.live!.approval!.cancel(true);
    await sending;
    expect(chats.view.messages.at(-1)!.footer!.route.chosen).toBe("local");
    expect(chats.view.messages.at(-1)!.footer!.outbound).toBeNull();
  });

  it("drops the request without an error when it is cancelled", async () => {
    const { chats } = await made();
    chats.startNew();
    chats.route = "cloud";
    const sending = chats.send("Hello");
    await until(() => (chats.view.live?.approval ?? null) !== null);
    await chats.view.live!.approval!.cancel(false);
    await sending;
    expect(chats.view.failure).toBeNull();
    expect(chats.view.messages.map((m) => m.role)).toEqual(["user"]);
  });

  it("stays here while local-only is on, and goes back to what was chosen", async () => {
    const { chats } = await made();
    let localOnly = true;
    chats.localOnly = () => localOnly;
    chats.route = "cloud";
    expect(chats.route).toBe("local");
    chats.startNew();
    await chats.send("Hello");
    expect(chats.view.messages.at(-1)!.footer!.route.chosen).toBe("local");
    localOnly = false;
    expect(chats.route).toBe("cloud");
  });

  it("keeps partial text when the request breaks off", async () => {
    const { chats } = await made({
      messageSend: async (request, emit) => {
        const question = { id: "q", parent: null, branches: ["q"], role: "user" as const, content: request.text, files: [], state: "complete" as const, created_ms: 0, footer: null };
        emit({ event: "started", question, answer: "a" });
        emit({ event: "text", text: "Half an ans" });
        throw { kind: "network", code: "", message: "Gone." };
      },
    });
    chats.startNew();
    await chats.send("Hello");
    expect(chats.view.messages.at(-1)).toMatchObject({ id: "a", content: "Half an ans", state: "failed" });
    expect(chats.view.failure?.kind).toBe("network");
  });

  it("keeps streaming into a conversation that is not open", async () => {
    const { chats } = await made();
    chats.startNew();
    const sending = chats.send("Hello");
    await until(() => chats.view.id !== null);
    const id = chats.view.id!;
    await chats.open("c1");
    expect(chats.view.id).toBe("c1");
    expect(chats.busy(id)).toBe(true);
    await sending;
    await chats.open(id);
    expect(chats.view.messages.at(-1)!.state).toBe("complete");
  });

  it("keeps a draft per conversation", async () => {
    const { chats } = await made();
    await chats.open("c1");
    chats.draft = "half a thought";
    await chats.open("c4");
    expect(chats.draft).toBe("");
    await chats.open("c1");
    expect(chats.draft).toBe("half a thought");
  });
});

describe("Attachments", () => {
  it("keeps the files of each conversation while another is open", async () => {
    const { chats, attachments } = await made();
    await chats.open("c1");
    const adding = attachments.add(["/a/x.pdf"]);
    await chats.open("c4");
    expect(attachments.items).toEqual([]);
    await adding;
    expect(attachments.items).toEqual([]);
    await chats.open("c1");
    expect(attachments.items.map((item) => item.chip?.status)).toEqual(["ok"]);
    await chats.send("What is it?");
    expect(attachments.items).toEqual([]);
  });
  it("shows each file's state and sends them all, so that the answer can tell what it could not read", async () => {
    const { attachments } = await made();
    const adding = attachments.add(["/a/x.pdf", "/a/scan.pdf", "/a/locked.pdf", "/a/x.pdf"]);
    expect(attachments.items.map((item) => item.chip)).toEqual([null, null, null]);
    expect(attachments.reading).toBe(true);
    await adding;
    expect(attachments.items.map((item) => item.chip?.status)).toEqual(["ok", "needs_ocr", "encrypted"]);
    expect(attachments.paths()).toEqual(["/a/x.pdf", "/a/scan.pdf", "/a/locked.pdf"]);
    expect(attachments.usable).toBe(true);
    attachments.remove("/a/x.pdf");
    expect(attachments.usable).toBe(false);
  });
  it("says why a file could not be looked at", async () => {
    const { attachments } = await made({ filesInspect: () => Promise.reject({ kind: "not_found", code: "", message: "It is gone." }) });
    await attachments.add(["/a/x.pdf"]);
    expect(attachments.items[0]!.failure?.message).toBe("It is gone.");
    expect(attachments.reading).toBe(false);
  });
});

describe("estimateTokens", () => {
  // The same values as the engine's rule has.
  it.each([["", 0], ["abcd", 2], ["abcdefgh", 3], ["你好", 2], ["你好世界吗啊", 5], ["😀", 1]])("%s", (text, tokens) => expect(estimateTokens(text)).toBe(tokens));
});

describe("pathOf", () => {
  it.each([["a.pdf", "/x/a.pdf"], ["/x/a.pdf", "/x/a.pdf"], ["b.pdf", "b.pdf"]])("%s", (file, path) => expect(pathOf(file, ["/x/a.pdf"])).toBe(path));
});
