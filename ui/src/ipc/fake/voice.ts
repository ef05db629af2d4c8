// Speech on invented words: the microphone hears the sentences of `words.said` one after another. `?mic=denied`,
// `busy`, `none`, `lost` and `quiet` are what else can happen; a file called broken cannot be read.
import type { Failure, Microphone, Transcript, TranscriptSegment, VoiceEvent } from "../bindings";
import type { Client } from "../client";
import type { Words } from "./data";

type Voice = Pick<
  Client,
  "voiceDevices" | "voiceListen" | "voiceStop" | "voiceCancel" | "transcribeFile" | "transcribeStop" | "transcriptSave"
>;

const fail = (kind: Failure["kind"], code: string, message: string): Failure => ({ kind, code, message, values: {} });
const CANCELLED = fail("cancelled", "cancelled", "It was stopped.");
const REFUSALS: Record<string, Failure> = {
  denied: fail("refused", "microphone_denied", "Nearside may not use the microphone. Allow it in the system's privacy settings."),
  busy: fail("refused", "microphone_busy", "Another program holds the microphone. Close it and try again."),
  none: fail("not_found", "microphone_none", "No microphone was found. Plug one in and try again."),
};

const DEVICES: Microphone[] = [
  { id: "default", name: "Built-in Microphone", is_default: true, is_monitor: false },
  { id: "usb", name: "USB Condenser", is_default: false, is_monitor: false },
  { id: "monitor", name: "Monitor of Built-in Audio", is_default: false, is_monitor: true },
];

/** Seconds that a sentence takes to say. */
const SENTENCE = 4;

function transcript(words: Words, sentences: number, speakers: boolean): Transcript {
  const said = words.said.slice(0, sentences);
  const segments = said.map((text, at): TranscriptSegment => ({
    start: at * SENTENCE, end: (at + 1) * SENTENCE - 0.4, speaker: speakers ? `S${1 + (at % 2)}` : null, text,
  }));
  const text = said.join(words.language === "zh" ? "" : " ");
  const language = sentences === 0 ? null : words.language;
  return { text, language, segments, no_speech: sentences === 0, seconds: Math.max(3, sentences * SENTENCE), warnings: [] };
}

export function fakeVoice(words: Words, wait: (ms: number) => Promise<void>, query: URLSearchParams): Voice {
  const mic = query.get("mic") ?? "";
  let stopped = false;
  let cancelled = false;
  let fileStopped = false;

  async function writeDown(total: number, ended: () => boolean, emit: (event: VoiceEvent) => void): Promise<void> {
    for (let done = 0; done < total; done += Math.max(1, total / 12)) {
      if (ended()) throw CANCELLED;
      emit({ event: "transcribing", done, total });
      await wait(150);
    }
  }

  return {
    voiceDevices: async () => (mic === "none" ? [] : structuredClone(DEVICES)),
    voiceListen: async (emit) => {
      stopped = false;
      cancelled = false;
      await wait(200);
      const refusal = REFUSALS[mic];
      if (refusal) throw refusal;
      emit({ event: "listening", device: DEVICES[0]!.name });
      let ticks = 0;
      // Each tick is a fifteenth of a second, and a new word comes at every fourth.
      const spoken = () => (mic === "quiet" ? "" : words.said.join(" ").slice(0, Math.floor(ticks * 1.4)));
      while (!stopped) {
        if (cancelled) throw CANCELLED;
        const pause = Math.sin(ticks / 9) < -0.7;
        emit({ event: "level", dbfs: mic === "quiet" || pause ? -58 : -30 + 16 * Math.abs(Math.sin(ticks * 1.7) * Math.cos(ticks / 7)) });
        if (ticks % 4 === 0) {
          const text = spoken();
          const sure = text.lastIndexOf(" ", text.length - 12) + 1;
          emit({ event: "partial", committed: text.slice(0, sure), tentative: text.slice(sure) });
        }
        ticks++;
        if (mic === "lost" && ticks > 60) {
          emit({ event: "lost", kept_seconds: ticks / 15 });
          break;
        }
        await wait(66);
      }
      await writeDown(Math.max(1, ticks / 15), () => cancelled, emit);
      if (mic === "quiet") return transcript(words, 0, false);
      return transcript(words, Math.min(words.said.length, 1 + Math.floor(ticks / 60)), false);
    },
    voiceStop: async () => void (stopped = true),
    voiceCancel: async () => void (cancelled = true),
    transcribeFile: async (path, emit) => {
      fileStopped = false;
      if (path.includes("broken")) throw fail("nothing_readable", "audio_unreadable", "This sound file cannot be read; it is damaged or of another kind.");
      await writeDown(words.said.length * SENTENCE, () => fileStopped, emit);
      return transcript(words, path.includes("quiet") ? 0 : words.said.length, true);
    },
    transcribeStop: async () => void (fileStopped = true),
    transcriptSave: async () => {},
  };
}
