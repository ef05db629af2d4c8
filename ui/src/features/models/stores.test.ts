// Models, settings, ledger, library and notices on the fake client.
import { describe, expect, it, vi } from "vitest";
import { Ledger } from "$/features/ledger/ledger.svelte";
import { Library } from "$/features/library/library.svelte";
import { SettingsStore } from "$/features/settings/settings.svelte";
import { asFailure, type Client } from "$/ipc/client";
import { fakeClient } from "$/ipc/fake/fake";
import { Notices } from "$/lib/notices.svelte";
import { Models } from "./models.svelte";

const client = (change: Partial<Client> = {}): Client => ({ ...fakeClient({ pace: 0, locale: "en" }), ...change });

describe("Models", () => {
  it("downloads, and forgets the figures afterwards", async () => {
    const models = new Models(client(), new Notices());
    await models.refresh();
    const wanted = models.items.find((model) => model.state === "partial")!;
    const phases: string[] = [];
    const fetching = models.fetch(wanted);
    phases.push(models.downloads.get(wanted.name)!.phase);
    expect(models.downloads.get(wanted.name)!.done).toBe(wanted.done);
    await fetching;
    expect(phases).toEqual(["loading"]);
    expect(models.downloads.size).toBe(0);
    expect(models.items.find((model) => model.name === wanted.name)!.state).toBe("installed");
  });
  it("tells a failed download and offers it again", async () => {
    const notices = new Notices();
    const failing = client({
      modelFetch: async (name, emit) => emit({ event: "failed", name, failure: { kind: "network", code: "", message: "The line broke.", values: {} } }),
    });
    const models = new Models(failing, notices);
    await models.refresh();
    await models.fetch(models.items[2]!);
    expect(notices.items[0]!.failure!.message).toBe("The line broke.");
    expect(models.downloads.size).toBe(0);
  });
  it("recommends one chat model", async () => {
    const models = new Models(client(), new Notices());
    await models.refresh();
    expect(models.recommended!.name).toBe("qwen2.5-0.5b");
  });
});

describe("SettingsStore", () => {
  it("takes a change back that the engine refuses", async () => {
    const notices = new Notices();
    const store = new SettingsStore(client({ settingsUpdate: () => Promise.reject({ kind: "internal", code: "", message: "Disk full." }) }), notices);
    await store.refresh();
    expect(await store.update({ zoom: 150 })).toBe(false);
    expect(store.value.zoom).toBe(100);
    expect(notices.items).toHaveLength(1);
  });
  it("touches only what a patch names", async () => {
    const store = new SettingsStore(client(), new Notices());
    await store.refresh();
    await store.update({ theme: "dark" });
    await store.update({ local_only: true });
    expect(store.value).toMatchObject({ theme: "dark", local_only: true, font_size: 14 });
  });
});

describe("Indexing", () => {
  const cancelled = { kind: "cancelled", code: "", message: "Stopped.", values: {} };

  it("takes one folder at a time, whoever asks, and tells how far it is", async () => {
    const seen: string[] = [];
    let running = 0;
    const library = new Library(
      client({
        libraryAdd: async (path, emit) => {
          seen.push(`${path} ${++running}`);
          emit({ done: 1, total: 2, failed: 0, vectors_done: 0, vectors_total: 0 });
          expect(library.progress!.done).toBe(1);
          await Promise.resolve();
          running--;
        },
      }),
      new Notices(),
    );
    await Promise.all([library.add(["/a", "/b"]), library.add(["/b", "/c"])]);
    expect(seen).toEqual(["/a 1", "/b 1", "/c 1"]);
    expect([library.adding, library.progress]).toEqual([[], null]);
  });
  it("a stop ends the first and drops the rest, and is no error", async () => {
    const notices = new Notices();
    let stop = () => {};
    const seen: string[] = [];
    const library = new Library(
      client({
        libraryAdd: (path) => {
          seen.push(path);
          return new Promise((_, reject) => (stop = () => reject(cancelled)));
        },
        libraryStop: async () => stop(),
      }),
      notices,
    );
    const adding = library.add(["/a", "/b"]);
    await vi.waitFor(() => expect(seen).toEqual(["/a"]));
    await library.stop();
    await adding;
    expect([seen, library.adding]).toEqual([["/a"], []]);
    expect(notices.items.map((notice) => notice.tone)).toEqual(["info"]);
  });
});

describe("Ledger and Library", () => {
  it("shows the newest entry first and a verdict", async () => {
    const ledger = new Ledger(client(), new Notices());
    await ledger.refresh();
    await ledger.verify();
    expect(ledger.items.map((item) => item.sequence)).toEqual([5, 4, 3, 2, 1]);
    expect(ledger.verdict).toMatchObject({ intact: true, entries: 5 });
  });
  it("keeps the figures that prove a file is forgotten", async () => {
    const library = new Library(client(), new Notices());
    await library.refresh();
    const path = library.items[0]!.path;
    await library.forget(path);
    expect(library.proof).toEqual({ path, figures: { bytes_freed: 184_320, traces_found: 0 } });
    expect(library.items.some((item) => item.path === path)).toBe(false);
  });
});

describe("failures", () => {
  it.each([
    [{ kind: "refused", code: "x", message: "No." }, { kind: "refused", code: "x", message: "No." }],
    [{ kind: "odd", message: "Hm." }, { kind: "internal", code: "", message: "[object Object]" }],
    [new Error("broke"), { kind: "internal", code: "", message: "broke" }],
    ["text", { kind: "internal", code: "", message: "text" }],
  ])("%j", (thrown, failure) => expect(asFailure(thrown)).toMatchObject(failure));

  it("does not pile up the same notice", () => {
    const notices = new Notices();
    notices.fail(new Error("a"));
    notices.fail(new Error("a"));
    notices.fail(new Error("b"));
    expect(notices.items).toHaveLength(2);
  });
});
