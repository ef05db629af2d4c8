// A client on invented data, for development in a plain browser and for tests. It streams, previews,
// downloads and fails as the engine does, in memory; nothing is kept and nothing is read from disk.
import type { AppEvent, ChatEvent, Conversation, Failure, Message, OwnList, Preview, Route, Settings } from "../bindings";
import type { Client, FileDrag } from "../client";
import { conversations, DEVICES, footer, ledger, library, message, models, SETTINGS, wordsFor } from "./data";
import { Branches } from "./branches";
import { edited, previewOf } from "./gate";
import { fakeVoice } from "./voice";

export interface FakeOptions {
  /** 1 streams as a model would; 0 does everything at once. */
  pace: number;
  locale?: string;
  settings?: Partial<Settings>;
}

type Verdict = { sent: boolean; keepLocal: boolean };

const fail = (kind: Failure["kind"], code: string, text: string): Failure => ({ kind, code, message: text, values: {} });

export function fakeClient(options: FakeOptions): Client {
  const query = new URLSearchParams(typeof location === "undefined" ? "" : location.search);
  const locale = options.locale ?? query.get("lang") ?? (typeof navigator === "undefined" ? "en" : navigator.language);
  const words = wordsFor(locale);
  const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms * options.pace));

  let ownList: OwnList = { hide: [], keep: [] };
  let settings: Settings = { ...SETTINGS, welcome_done: !query.has("welcome"), ...options.settings };
  let chats: Conversation[] = query.has("empty") ? [] : conversations(words);
  const catalog = query.has("empty") ? models().map((m) => ({ ...m, state: "available" as const, done: 0 })) : models();
  if (query.has("speech")) for (const one of catalog) if (one.purpose === "speech" || one.purpose === "voice_activity") one.state = "installed";
  let files = query.has("empty") ? [] : library();
  const rows = query.has("empty") ? [] : ledger();
  let locked = query.has("locked");
  let count = 100;
  const branches = new Branches();
  const stopped = new Set<string>();
  const paused = new Set<string>();
  const previews = new Map<string, Preview>();
  const verdicts = new Map<string, (verdict: Verdict) => void>();
  let hear: (event: AppEvent) => void = () => {};

  const id = (prefix: string) => `${prefix}${count++}`;
  const chat = (wanted: string): Conversation => {
    const found = chats.find((one) => one.summary.id === wanted);
    if (!found) throw fail("not_found", "conversation_gone", "This conversation does not exist any more.");
    return found;
  };
  const model = (name: string) => {
    const found = catalog.find((one) => one.name === name);
    if (!found) throw fail("not_found", "", "There is no such model.");
    return found;
  };

  async function approve(text: string, emit: (event: ChatEvent) => void): Promise<Verdict & { preview: Preview }> {
    const preview = await previewOf(id("p"), text);
    previews.set(preview.id, preview);
    emit({ event: "approval", preview });
    const verdict = await new Promise<Verdict>((done) => verdicts.set(preview.id, done));
    return { ...verdict, preview: previews.get(preview.id)! };
  }

  async function stream(text: string, to: string, emit: (event: ChatEvent) => void): Promise<string> {
    let written = "";
    for (const piece of text.match(/[\s\S]{1,4}/g) ?? []) {
      if (stopped.delete(to)) return written;
      written += piece;
      emit({ event: "text", text: piece });
      await wait(12);
    }
    return written;
  }

  const client: Client = {
    appInfo: async () => ({ version: "0.1.0", platform: "linux", locale, data_dir: "/home/you/.local/share/nearside", models_dir: "/home/you/.cache/nearside/models", tray: true, context: 8192, notices: [] }),
    vaultState: async () => (locked ? { state: "needs_passphrase", failure: null } : { state: "open", failure: null }),
    vaultUnlock: async (passphrase) => {
      if (passphrase === "wrong") throw fail("refused", "wrong_passphrase", "This passphrase does not open the data.");
      locked = false;
    },

    conversationsList: async () => chats.map((one) => ({ ...one.summary })),
    conversationOpen: async (wanted) => structuredClone(chat(wanted)),
    conversationNew: async () => {
      const made: Conversation = {
        summary: { id: id("c"), title: "", pinned: false, updated_ms: Date.now(), route: null, snippet: null },
        messages: [],
        tokens: 0,
      };
      chats = [made, ...chats];
      return structuredClone(made);
    },
    conversationRename: async (wanted, title) => void (chat(wanted).summary.title = title),
    conversationPin: async (wanted, pinned) => void (chat(wanted).summary.pinned = pinned),
    conversationDelete: async (wanted) => void (chats = chats.filter((one) => one.summary.id !== wanted)),
    conversationSearch: async (text) =>
      chats
        .filter((one) => `${one.summary.title} ${one.messages.map((m) => m.content).join(" ")}`.toLowerCase().includes(text.toLowerCase()))
        .map((one) => ({ ...one.summary, snippet: one.messages.find((m) => m.content.includes(text))?.content.slice(0, 60) ?? null })),
    conversationFork: async (wanted, upTo) => {
      const from = chat(wanted);
      const made = structuredClone(from);
      made.summary = { ...made.summary, id: id("c"), pinned: false, updated_ms: Date.now() };
      made.messages = made.messages.slice(0, made.messages.findIndex((m) => m.id === upTo) + 1);
      made.messages = made.messages.map((m) => ({ ...m, branches: [m.id] }));
      chats = [made, ...chats];
      return structuredClone(made);
    },
    conversationShow: async (wanted, through) => {
      const here = chat(wanted);
      branches.show(here, through);
      return structuredClone(here);
    },

    messageSend: async (request, emit) => {
      const here = chat(request.conversation);
      const cut = request.replaces ?? request.regenerates;
      const others = cut ? branches.cut(here, cut) : [];
      const old = request.continues ? here.messages.pop()! : null;
      let question: Message | undefined = here.messages.findLast((m) => m.role === "user");
      if (!old && !request.regenerates) {
        question = message({ id: id("m"), role: "user", content: request.text, files: request.files, created_ms: Date.now() });
        branches.add(here, question, request.replaces ? others : []);
      }
      const answer = old?.id ?? id("m");
      emit({ event: "started", question: structuredClone(question!), answer });
      await wait(300);
      for (let page = 1; request.files.length > 0 && page <= 12; page++) {
        emit({ event: "progress", stage: "reading_file", done: page, total: 12 });
        await wait(60);
      }
      let route: Route = request.route === "cloud" ? "cloud" : "local";
      let outbound = null;
      if (route === "cloud") {
        if (settings.local_only) {
          const failure = fail("refused", "local_only", "Local-only is on, so nothing can be sent to a cloud.");
          emit({ event: "failed", failure, message: null });
          return;
        }
        const { sent, keepLocal, preview } = await approve(question!.content, emit);
        if (!sent && !keepLocal) {
          emit({ event: "failed", failure: fail("cancelled", "", "You dropped the request."), message: null });
          return;
        }
        route = sent ? "cloud" : "local";
        if (sent) {
          const types = preview.blocks.flatMap((b) => b.spans).filter((s) => s.action !== "keep").map((s) => s.type);
          const entities = [...new Set(types)].map((type) => ({ type, count: types.filter((t) => t === type).length }));
          outbound = { destination: preview.destination, bytes: preview.bytes, sha256: preview.sha256, entities };
          rows.push({ sequence: rows.length + 1, time: new Date().toISOString(), kind: "request", outcome: "sent", ...outbound });
        }
      }
      const made = footer(route, {
        outbound,
        citations: [3, 9].map((page) => ({ file: request.files[0] ?? "offer-a.pdf", page, section: null, quote: words.quote })),
        coverage: request.files.length > 0 ? { pages_read: 12, pages_total: 12, tokens_read: 6120 } : null,
        files: request.files.map((file) => ({ file, status: "ok", pages: 12, warnings: [] })),
      });
      emit({ event: "routed", decision: made.route });
      const written = (old?.content ?? "") + (await stream(words.streamed, request.conversation, emit));
      const whole = written.endsWith(words.streamed);
      const done = message({ id: answer, parent: question!.id, role: "assistant", content: written, state: whole ? "complete" : "stopped", footer: made });
      branches.add(here, done, old ? old.branches.filter((one) => one !== old.id) : request.regenerates ? others : []);
      here.summary = { ...here.summary, title: here.summary.title || question!.content.slice(0, 40), route, updated_ms: Date.now() };
      emit({ event: "finished", message: structuredClone(done) });
      hear({ event: "conversations_changed" });
    },
    messageStop: async (conversation) => void stopped.add(conversation),
    approvalUpdate: async (wanted, edits) => {
      const next = await edited(previews.get(wanted)!, edits);
      previews.set(wanted, next);
      return next;
    },
    approvalSend: async (wanted, sha256) => {
      if (previews.get(wanted)?.sha256 !== sha256) throw fail("refused", "preview_changed", "The preview has changed; look again.");
      verdicts.get(wanted)?.({ sent: true, keepLocal: false });
    },
    approvalCancel: async (wanted, keepLocal) => verdicts.get(wanted)?.({ sent: false, keepLocal }),

    filesInspect: async (paths) => {
      await wait(600);
      return paths.map((path) => {
        const name = path.split("/").at(-1)!;
        const status = name.includes("locked") ? "encrypted" : name.includes("scan") ? "needs_ocr" : "ok";
        return { path, name, bytes: 182_000, kind: "pdf", status, pages: status === "ok" ? 12 : 0, tokens: status === "ok" ? 6120 : 0, warnings: [] };
      });
    },

    modelsList: async () => structuredClone(catalog),
    modelFetch: async (name, emit) => {
      const wanted = model(name);
      const rate = 9_400_000;
      paused.delete(name);
      emit({ event: "started", name, source: wanted.source, done: wanted.done, total: wanted.size });
      wanted.state = "downloading";
      while (wanted.done < wanted.size) {
        if (paused.delete(name)) {
          wanted.state = "partial";
          emit({ event: "paused", name, done: wanted.done });
          return;
        }
        await wait(200);
        wanted.done = Math.min(wanted.size, wanted.done + (options.pace > 0 ? rate / 5 : wanted.size));
        emit({ event: "progress", name, done: wanted.done, total: wanted.size, bytes_per_s: rate });
      }
      emit({ event: "verifying", name });
      await wait(800);
      wanted.state = "installed";
      emit({ event: "done", name });
    },
    modelPause: async (name) => void paused.add(name),
    modelVerify: async (name) => {
      await wait(900);
      return structuredClone(model(name));
    },
    modelRemove: async (name) => void Object.assign(model(name), { state: "available", done: 0, path: null }),
    modelRollback: async (name) => Object.assign(model(name), { version: model(name).previous, previous: null }),
    devicesList: async () => DEVICES,

    settingsGet: async () => ({ ...settings }),
    settingsUpdate: async (patch) => {
      const kept = Object.entries(patch).filter(([, value]) => value !== null && value !== undefined);
      const voice = { ...settings.voice, ...(patch.voice as Partial<Settings["voice"]> | undefined) };
      settings = { ...settings, ...(Object.fromEntries(kept) as Partial<Settings>), voice: { ...voice, microphone: voice.microphone || null } };
      return { ...settings };
    },
    ownListGet: async () => ownList,
    ownListSet: async (list) => (ownList = list),
    cloudKeySet: async () => void (settings.provider && (settings.provider = { ...settings.provider, has_key: true })),
    cloudKeyClear: async () => void (settings.provider && (settings.provider = { ...settings.provider, has_key: false })),
    cloudCheck: async () => {
      await wait(700);
      return { reachable: true, models: ["large-1", "small-1"], message: "", failure: null };
    },

    ledgerList: async () => structuredClone(rows),
    ledgerVerify: async () => ({ intact: true, entries: rows.length, problem: null }),
    ledgerExport: async () => {},

    libraryAdd: async (path, emit) => {
      for (let done = 0; done <= 3; done++) {
        emit({ done, total: 3, failed: 0, vectors_done: 0, vectors_total: 0 });
        await wait(200);
      }
      for (let done = 0; done <= 8; done += 4) {
        emit({ done: 3, total: 3, failed: 0, vectors_done: done, vectors_total: 8 });
        await wait(200);
      }
      files = [...files, { path, status: "ok", pages: 3, chunks: 8, bytes: 20_000, warnings: [] }];
    },
    libraryStop: async () => {},
    libraryList: async () => structuredClone(files),
    libraryRemove: async (path) => void (files = files.filter((file) => file.path !== path)),
    libraryForget: async (path) => {
      files = files.filter((file) => file.path !== path);
      return { bytes_freed: 184_320, traces_found: 0 };
    },
    librarySearch: async () => [
      { file: "offer-a.pdf", page: 3, section: null, text: words.quote, score: 0.91, how: "both" },
      { file: "lease-2021.docx", page: 12, section: null, text: words.quote, score: 0.62, how: "vector" },
    ],

    ...fakeVoice(words, wait, query),

    dataExport: () => wait(500),
    dataRestore: () => wait(500),
    dataMove: () => wait(500),
    dataErase: async () => void (chats = []),

    openPath: async () => {},
    openLink: async () => {},
    pickFiles: async () => ["/home/you/offer-a.pdf", "/home/you/scan-b.pdf", "/home/you/locked.pdf"],
    pickAudio: async () => ["/home/you/site-visit.m4a", "/home/you/broken.mp3"],
    pickFolder: async () => "/home/you/Contracts",
    pickFile: async () => "/home/you/nearside.backup",
    pickSavePath: async (name) => `/home/you/${name}`,

    onAppEvent: async (handler) => {
      hear = handler;
      return () => {};
    },
    onFileDrag: async (handler) => browserDrops(handler),
  };
  return client;
}

/** In a plain browser, dropped files have names and no paths; that is enough to try the window. */
function browserDrops(handler: (drag: FileDrag) => void): () => void {
  const over = () => handler({ phase: "over" });
  const leave = (event: DragEvent) => event.relatedTarget === null && handler({ phase: "leave" });
  const drop = (event: DragEvent) =>
    handler({ phase: "drop", paths: [...(event.dataTransfer?.files ?? [])].map((file) => `/home/you/${file.name}`) });
  window.addEventListener("dragover", over);
  window.addEventListener("dragleave", leave);
  window.addEventListener("drop", drop);
  return () => {
    window.removeEventListener("dragover", over);
    window.removeEventListener("dragleave", leave);
    window.removeEventListener("drop", drop);
  };
}
