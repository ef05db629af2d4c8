// The preview marks what it claims to mark, edits hold for a value in all its places, and only Send sends.
import { describe, expect, it } from "vitest";
import type { EntityEdit, OwnEntry, Preview, Span } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import { edited, previewOf } from "$/ipc/fake/gate";
import { choices, entities, segments, tally, withEdit } from "./approval";
import { ApprovalStore } from "./approval-store.svelte";

const TEXT = "😀 Call Ms Chen on 138 0013 8000, or 138 0013 8000 again.";

const span = (start: number, end: number, text: string, replacement: string, action: Span["action"] = "mask"): Span => ({
  start, end, type: "PHONE", text, action, replacement, ground: "shape", why: "",
});

describe("segments", () => {
  it("counts code points, not UTF-16 units", async () => {
    const block = (await previewOf("p", TEXT)).blocks[1]!;
    const { original, outgoing } = segments(block);
    expect(original.filter((part) => part.span !== null).map((part) => part.text)).toEqual(["Ms Chen", "138 0013 8000", "138 0013 8000"]);
    expect(original.map((part) => part.text).join("")).toBe(TEXT);
    expect(outgoing.map((part) => part.text).join("")).toBe(block.outgoing);
  });
  it("marks nothing where the pieces do not add up to what is sent", () => {
    const block = { role: "user" as const, original: "call 123", outgoing: "call nobody", spans: [span(5, 8, "123", "PHONE_1")] };
    expect(segments(block).outgoing).toEqual([{ text: "call nobody", span: null }]);
  });
  it("survives overlapping and unordered spans", () => {
    const block = { role: "user" as const, original: "abcdef", outgoing: "Xcdef", spans: [span(1, 3, "bc", "Y"), span(0, 2, "ab", "X")] };
    expect(segments(block).original.map((part) => part.text).join("")).toBe("abcdef");
  });
  it("shows what is kept as it is", () => {
    const block = { role: "user" as const, original: "call 123", outgoing: "call 123", spans: [span(5, 8, "123", "123", "keep")] };
    expect(segments(block).outgoing.at(-1)).toEqual({ text: "123", span: 0 });
  });
});

describe("entities and edits", () => {
  it("gathers a value from all its places", async () => {
    const list = entities(await previewOf("p", TEXT));
    expect(list.map((entity) => [entity.type, entity.places.length])).toEqual([["PERSON", 1], ["PHONE", 2]]);
    expect(tally(list)).toEqual({ hidden: 2, kept: 0, refusing: 0 });
  });
  it("replaces an earlier choice for the same value", async () => {
    const phone = entities(await previewOf("p", TEXT))[1]!;
    const once = withEdit([], phone, "keep", null);
    const twice = withEdit(once, phone, "edit", "my number");
    expect(twice).toEqual<EntityEdit[]>([{ block: 1, span: 1, action: "edit", replacement: "my number" }]);
  });
  it("offers an invented value only where the gate chose one", async () => {
    const phone = entities(await previewOf("p", TEXT))[1]!;
    expect(choices(phone)).toEqual(["keep", "mask", "generalise", "edit"]);
    expect(choices({ ...phone, action: "fake" })).toContain("fake");
  });
});

/** A client that answers the three approval commands and remembers what it was asked. */
function gate(first: Preview, log: string[]): Client {
  let now = first;
  return {
    approvalUpdate: async (_: string, edits: EntityEdit[]) => {
      log.push(`update ${edits.length}`);
      now = await edited(first, edits);
      return now;
    },
    approvalSend: async (_: string, sha256: string) => void log.push(`send ${sha256 === now.sha256}`),
    approvalCancel: async (_: string, keepLocal: boolean) => void log.push(`cancel ${keepLocal}`),
  } as unknown as Client;
}

describe("ApprovalStore", () => {
  it("sends the hash of the preview that is shown, once", async () => {
    const log: string[] = [];
    const first = await previewOf("p", TEXT);
    const store = new ApprovalStore(gate(first, log), first);
    await store.change(store.rows[1]!, "edit", "my number");
    expect(store.preview.blocks[1]!.outgoing).toContain("my number, or my number again");
    expect(store.preview.sha256).not.toBe(first.sha256);
    await store.send();
    await store.send();
    await store.cancel(true);
    expect(log).toEqual(["update 1", "send true"]);
  });
  it("names values by their places in the first preview", async () => {
    const seen: EntityEdit[][] = [];
    const first = await previewOf("p", TEXT);
    const client = {
      approvalUpdate: async (_: string, edits: EntityEdit[]) => {
        seen.push(edits);
        const next = await edited(first, edits);
        next.blocks[1]!.spans.reverse();
        return next;
      },
    } as unknown as Client;
    const store = new ApprovalStore(client, first);
    await store.change(store.rows.find((row) => row.type === "PHONE")!, "keep");
    await store.change(store.rows.find((row) => row.type === "PERSON")!, "keep");
    expect(seen.at(-1)!.map((edit) => edit.span)).toEqual([1, 0]);
  });
  it("hides what was not found, and lets it go again", async () => {
    const asked: OwnEntry[][] = [];
    const first = await previewOf("p", TEXT);
    const client = {
      approvalUpdate: async (_: string, edits: EntityEdit[], more: OwnEntry[]) => {
        asked.push(more);
        const next = await edited(first, edits);
        for (const { type, names } of more) next.blocks[1]!.spans.push({ ...span(2, 6, names[0]!, "[ORG_1]"), type });
        return next;
      },
    } as unknown as Client;
    const store = new ApprovalStore(client, first);
    await store.hide("ORG", "Call");
    const row = store.rows.find((entity) => entity.type === "ORG")!;
    expect([store.added(row), store.added(store.rows[0]!)]).toEqual([true, false]);
    expect(choices(row, true)).toEqual(["keep", "mask"]);
    await store.change(row, "keep");
    expect(asked).toEqual([[{ type: "ORG", names: ["Call"] }], []]);
  });
  it("cannot send while a choice is being applied", async () => {
    const log: string[] = [];
    const first = await previewOf("p", TEXT);
    const store = new ApprovalStore(gate(first, log), first);
    const change = store.change(store.rows[0]!, "keep");
    expect(store.sendable).toBe(false);
    await store.send();
    await change;
    expect(store.sendable).toBe(true);
    expect(log).toEqual(["update 1"]);
  });
  it("cannot send what the gate refuses", async () => {
    const first = await previewOf("p", TEXT);
    first.blocks[1]!.spans[0]!.action = "refuse";
    const store = new ApprovalStore(gate(first, []), first);
    expect(store.sendable).toBe(false);
  });
  it("keeps the last good preview when a choice fails", async () => {
    const first = await previewOf("p", TEXT);
    const client = { approvalUpdate: () => Promise.reject({ kind: "refused", code: "x", message: "No." }) } as unknown as Client;
    const store = new ApprovalStore(client, first);
    await store.change(store.rows[0]!, "keep");
    expect(store.preview).toBe(first);
    expect(store.failure?.message).toBe("No.");
  });
});
