// The microphone's states, what becomes of late events, dictation, recordings, and the small rules of speech.
import { afterEach, describe, expect, it, vi } from "vitest";
import { setLocale } from "$/i18n/index.svelte";
import type { Failure, Transcript, VoiceEvent } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import { fakeClient } from "$/ipc/fake/fake";
import { Notices } from "$/lib/notices.svelte";
import { Stores } from "$/lib/stores.svelte";
import { inserted } from "./insert";
import { Listening } from "./listening.svelte";
import { PushToTalk, type Act } from "./push-to-talk";
import { isAudio, Recordings } from "./recordings.svelte";
import { speakerName, writtenWords } from "./words";

afterEach(() => setLocale("en"));

const client = (change: Partial<Client> = {}): Client => ({ ...fakeClient({ pace: 0, locale: "en" }), ...change });
const said = (text: string): Transcript => ({
  text, language: "en", segments: [], no_speech: text === "", seconds: 3, warnings: [],
});
const failure = (kind: Failure["kind"], code = ""): Failure => ({ kind, code, message: "Why.", values: {} });

/** A microphone whose every step the test takes: each run with its events, its end, and what was asked of it. */
function microphone() {
  const runs: { emit: (event: VoiceEvent) => void; done: (text: Transcript) => void; fail: (why: Failure) => void }[] = [];
  const asked: string[] = [];
  const part: Partial<Client> = {
    voiceListen: (emit) => new Promise((done, fail) => runs.push({ emit, done, fail })),
    voiceStop: async () => void asked.push("stop"),
    voiceCancel: async () => void asked.push("cancel"),
  };
  const run = async (at: number) => {
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(at));
    return runs[at]!;
  };
  return { part, run, runs, asked };
}

const OPEN: VoiceEvent = { event: "listening", device: "USB" };

describe("Listening", () => {
  function listen() {
    const mic = microphone();
    const notices = new Notices();
    return { ...mic, notices, listening: new Listening(client(mic.part), notices) };
  }

  it("opens, listens, writes down, and gives the text", async () => {
    const { listening, run, asked } = listen();
    expect(listening.phase).toBe("idle");
    const heard = listening.listen("page");
    expect(listening.phase).toBe("opening");
    const one = await run(0);
    one.emit(OPEN);
    expect([listening.phase, listening.device]).toEqual(["listening", "USB"]);
    one.emit({ event: "level", dbfs: -20 });
    one.emit({ event: "partial", committed: "So ", tentative: "far" });
    expect([listening.level, listening.committed, listening.tentative]).toEqual([{ dbfs: -20 }, "So ", "far"]);
    await listening.stop();
    expect([listening.phase, asked]).toEqual(["transcribing", ["stop"]]);
    one.emit({ event: "transcribing", done: 1, total: 3 });
    expect(listening.progress).toEqual({ done: 1, total: 3 });
    one.done(said("So far."));
    expect(await heard).toEqual({ transcript: said("So far."), lost: null });
    expect([listening.phase, listening.committed, listening.device]).toEqual(["idle", "", ""]);
  });

  it("keeps why it failed until it listens again", async () => {
    const { listening, run } = listen();
    const heard = listening.listen("page");
    (await run(0)).fail(failure("refused", "microphone_denied"));
    expect(await heard).toBeNull();
    expect([listening.phase, listening.failure!.code]).toEqual(["idle", "microphone_denied"]);
    void listening.listen("page");
    expect(listening.failure).toBeNull();
  });

  it("tells how much was kept when the microphone goes away", async () => {
    const { listening, run, asked } = listen();
    const heard = listening.listen("composer");
    const one = await run(0);
    one.emit(OPEN);
    one.emit({ event: "lost", kept_seconds: 12 });
    expect([listening.phase, listening.lost]).toEqual(["transcribing", 12]);
    one.done(said("Half."));
    expect(await heard).toEqual({ transcript: said("Half."), lost: 12 });
    expect(asked).toEqual([]);
  });

  it("is idle at once when cancelled, and hears nothing of that run afterwards", async () => {
    const { listening, run, runs, asked } = listen();
    const heard = listening.listen("page");
    const one = await run(0);
    one.emit(OPEN);
    await listening.cancel();
    expect([listening.phase, asked]).toEqual(["idle", ["cancel"]]);
    one.emit({ event: "partial", committed: "late", tentative: "" });
    one.emit({ event: "transcribing", done: 1, total: 2 });
    one.emit({ event: "lost", kept_seconds: 2 });
    expect([listening.phase, listening.committed, listening.progress, listening.lost]).toEqual(["idle", "", null, null]);

    // The next run begins when the engine has let go, and belongs to itself.
    const next = listening.listen("page");
    await Promise.resolve();
    expect([listening.phase, runs.length]).toEqual(["opening", 1]);
    one.emit({ event: "level", dbfs: -3 });
    one.fail(failure("cancelled"));
    expect(await heard).toBeNull();
    const two = await run(1);
    two.emit(OPEN);
    one.emit({ event: "partial", committed: "of the first", tentative: "" });
    expect([listening.phase, listening.committed, listening.level]).toEqual(["listening", "", null]);
    two.done(said("Second."));
    expect((await next)!.transcript.text).toBe("Second.");
    expect(listening.failure).toBeNull();
  });

  it("drops the text of a run that was cancelled too late", async () => {
    const { listening, run } = listen();
    const heard = listening.listen("page");
    const one = await run(0);
    one.emit(OPEN);
    await listening.stop();
    await listening.cancel();
    one.done(said("Too late."));
    expect(await heard).toBeNull();
  });

  it("cancels again what was not open yet, and stops as soon as it is", async () => {
    const { listening, run, asked } = listen();
    void listening.listen("page");
    const one = await run(0);
    await listening.cancel();
    one.emit(OPEN);
    expect(asked).toEqual(["cancel", "cancel"]);
    one.fail(failure("cancelled"));
    void listening.listen("page");
    const two = await run(1);
    await listening.stop();
    expect([listening.phase, asked.length]).toEqual(["opening", 2]);
    two.emit(OPEN);
    expect([listening.phase, asked.at(-1)]).toEqual(["transcribing", "stop"]);
  });

  it("never begins before a cancelled wait is over", async () => {
    const { listening, run, runs } = listen();
    void listening.listen("page");
    await run(0);
    await listening.cancel();
    const never = listening.listen("page");
    await listening.cancel();
    runs[0]!.fail(failure("cancelled"));
    expect(await never).toBeNull();
    expect(runs).toHaveLength(1);
  });

  it("has one run at a time, and no text for a test", async () => {
    const { listening, run, asked } = listen();
    const heard = listening.listen("test");
    expect(await listening.listen("page")).toBeNull();
    (await run(0)).emit(OPEN);
    await listening.stop();
    expect([listening.phase, asked]).toEqual(["idle", ["cancel"]]);
    (await run(0)).fail(failure("cancelled"));
    expect(await heard).toBeNull();
  });

  it("wonders after seconds of silence", async () => {
    const { listening, run } = listen();
    void listening.listen("page");
    const one = await run(0);
    one.emit(OPEN);
    for (let n = 0; n <= 60; n++) one.emit({ event: "level", dbfs: -70 });
    expect(listening.quiet).toBe(true);
    one.emit({ event: "level", dbfs: -25 });
    expect(listening.quiet).toBe(false);
  });
});

describe("Voice", () => {
  async function stores(change: Partial<Client> = {}, installed = true) {
    const made = new Stores(client(change));
    await made.opened();
    if (installed) made.models.items = made.models.items.map((model) => ({ ...model, state: "installed" }));
    return made;
  }

  it("keeps what the page heard, the latest first", async () => {
    const mic = microphone();
    const { voice } = await stores(mic.part);
    const one = voice.record();
    (await mic.run(0)).done(said("One."));
    await one;
    const two = voice.record();
    (await mic.run(1)).done(said(""));
    await two;
    expect(voice.items.map((item) => item.transcript.text)).toEqual(["", "One."]);
    expect(voice.shown!.transcript.no_speech).toBe(true);
    voice.forget(voice.shown!.id);
    expect([voice.items.length, voice.shown]).toEqual([1, null]);
  });

  it("dictates into the draft it was begun in, at the cursor, and sends nothing", async () => {
    const mic = microphone();
    const send = vi.fn();
    const { voice, chats } = await stores({ ...mic.part, messageSend: send });
    chats.draft = "Dear , thanks";
    chats.selection = () => [5, 5];
    const dictated = voice.dictate();
    (await mic.run(0)).done(said("Ms Chen"));
    await dictated;
    expect([chats.draft, chats.caretAsked]).toEqual(["Dear Ms Chen, thanks", 12]);

    const elsewhere = voice.dictate();
    const run = await mic.run(1);
    await chats.open("c1");
    run.done(said("Again."));
    await elsewhere;
    expect(chats.draft).toBe("");
    chats.startNew();
    expect(chats.draft).toBe("Dear Ms Chen, thanks Again.");
    expect(send).not.toHaveBeenCalled();
  });

  it("tells why there is nothing to insert", async () => {
    const mic = microphone();
    const { voice, chats, notices } = await stores(mic.part);
    const nothing = voice.dictate();
    (await mic.run(0)).done(said(""));
    await nothing;
    const denied = voice.dictate();
    (await mic.run(1)).fail(failure("refused", "microphone_denied"));
    await denied;
    expect(notices.items.map((notice) => notice.text || notice.failure!.code)).toEqual(["No speech was heard.", "microphone_denied"]);
    expect([chats.draft, voice.listening.failure]).toEqual(["", null]);
  });

  it("leads to the models where they are missing, and listens where they are not", async () => {
    const mic = microphone();
    const made = await stores(mic.part, false);
    expect(made.voice.missing.map((model) => model.name)).toEqual(["whisper-base", "silero-vad"]);
    made.toggleVoice();
    expect([made.page, mic.runs.length]).toEqual(["voice", 0]);
    made.models.items = made.models.items.map((model) => ({ ...model, state: "installed" }));
    made.go("library");
    made.toggleVoice();
    expect([made.page, made.voice.listening.purpose, made.hearsHere]).toEqual(["chat", "composer", true]);
    (await mic.run(0)).emit(OPEN);
    made.go("settings");
    expect([made.hearsHere, made.hearsElsewhere]).toEqual([false, "chat"]);
    made.toggleVoice();
    expect(mic.asked).toEqual(["stop"]);
  });

  it("asks about a text in a new conversation", async () => {
    const made = await stores();
    await made.chats.open("c1");
    made.askAbout("What was said.");
    expect([made.page, made.chats.view.id, made.chats.draft, made.chats.caretAsked]).toEqual(["chat", null, "\n\nWhat was said.", 0]);
  });
});

describe("Recordings", () => {
  it("takes one at a time, and keeps why one failed until it is tried again", async () => {
    const seen: string[] = [];
    let broken = true;
    const done: string[] = [];
    const recordings = new Recordings(
      client({
        transcribeFile: async (path, emit) => {
          seen.push(path);
          expect(recordings.waiting[0]).toBe(path);
          emit({ event: "transcribing", done: 1, total: null });
          expect(recordings.progress).toEqual({ done: 1, total: null });
          await Promise.resolve();
          if (path === "b.mp3" && broken) throw failure("nothing_readable", "audio_unreadable");
          return said(path);
        },
      }),
      new Notices(),
      (path) => done.push(path),
    );
    await Promise.all([recordings.add(["a.wav", "b.mp3"]), recordings.add(["b.mp3", "c.ogg"])]);
    expect([seen, done]).toEqual([["a.wav", "b.mp3", "c.ogg"], ["a.wav", "c.ogg"]]);
    expect(recordings.failed.map((one) => [one.path, one.failure.code])).toEqual([["b.mp3", "audio_unreadable"]]);
    broken = false;
    await recordings.add(["b.mp3"]);
    expect([recordings.failed, done.at(-1), recordings.waiting]).toEqual([[], "b.mp3", []]);
  });

  it("stops the one at work, drops one that waits, and neither is a failure", async () => {
    let stop = () => {};
    const seen: string[] = [];
    const recordings = new Recordings(
      client({
        transcribeFile: (path) => {
          seen.push(path);
          return new Promise((_, reject) => (stop = () => reject(failure("cancelled"))));
        },
        transcribeStop: async () => stop(),
      }),
      new Notices(),
      () => {},
    );
    const adding = recordings.add(["a.wav", "b.wav"]);
    await vi.waitFor(() => expect(seen).toEqual(["a.wav"]));
    await recordings.stop("b.wav");
    await recordings.stop("a.wav");
    await adding;
    expect([seen, recordings.waiting, recordings.failed, recordings.stopping]).toEqual([["a.wav"], [], [], false]);
  });

  it.each([["/a/b.WAV", true], ["C:\\x\\会议.m4a", true], ["a.pdf", false], ["wav", true], ["a.wav.zip", false]])("knows sound by its name: %s", (path, sound) => expect(isAudio(path)).toBe(sound));
});

describe("inserted", () => {
  // A bar is the cursor, two bars are a selection.
  it.each([
    ["|", "Hello.", "Hello.|"],
    ["Dear|", "Ms Chen", "Dear Ms Chen|"],
    ["Dear |, thanks", "Ms Chen", "Dear Ms Chen|, thanks"],
    ["One.|Two", "And.", "One. And.| Two"],
    ["a |wrong| word", "right", "a right| word"],
    ["你好|世界", "，各位", "你好，各位|世界"],
    ["你好|", "Nearside", "你好Nearside|"],
    ["版本|", "三", "版本三|"],
    ["(|)", "so", "(so|)"],
    ["line\n|", " next ", "line\nnext|"],
  ])("%s and %s", (draft, words, wanted) => {
    const [before, chosen = "", after = ""] = draft.split("|").length === 2 ? [draft.split("|")[0]!, "", draft.split("|")[1]!] : draft.split("|");
    const { text, caret } = inserted(before + chosen + after, before!.length, before!.length + chosen.length, words);
    expect(`${text.slice(0, caret)}|${text.slice(caret)}`).toBe(wanted);
  });
});

describe("PushToTalk", () => {
  type Step = ["down" | "up", number, boolean] | ["left"];
  it.each<[string, Step[], Act[]]>([
    ["a tap switches on and stays", [["down", 0, false], ["up", 100, true]], ["start", null]],
    ["a tap switches off", [["down", 0, true], ["up", 100, true]], [null, "stop"]],
    ["a held key listens until it is let go", [["down", 0, false], ["down", 300, true], ["up", 900, true]], ["start", null, "stop"]],
    ["leaving the button lets go", [["down", 0, false], ["left"], ["up", 900, false]], ["start", "stop", null]],
    ["a key that went down elsewhere is nobody's", [["up", 10, false]], [null]],
  ])("%s", (_, steps, acts) => {
    const talk = new PushToTalk();
    expect(steps.map((step) => (step[0] === "down" ? talk.down(step[1], step[2]) : step[0] === "up" ? talk.up(step[1]) : talk.left()))).toEqual(acts);
  });
});

describe("words", () => {
  it.each([["S1", "Speaker 1"], ["2", "Speaker 2"], ["SPEAKER_03", "Speaker 03"], ["Ms Chen", "Ms Chen"]])("speaker %s", (speaker, name) => expect(speakerName(speaker)).toBe(name));
  it("tells seconds of all, or those so far", () => {
    expect([null, { done: 12, total: null }, { done: 12, total: 200 }].map(writtenWords)).toEqual([
      "Writing it down", "Writing it down: 12 s", "Writing it down: 12 s of 3:20",
    ]);
  });
});
