// Words for transcripts in the window's language: where one came from, its language, its speakers.
import { locale, t } from "$/i18n/index.svelte";
import { baseName, duration } from "$/lib/format";
import type { Written } from "./listening.svelte";
import type { Entry } from "./voice.svelte";

/** Languages that people choose often, by code; the rest are found out by listening. */
export const LANGUAGES = ["en", "zh", "yue", "ja", "ko", "es", "fr", "de", "pt", "it", "ru", "ar", "hi", "id", "vi", "th", "tr", "nl", "pl", "uk"];

export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Speakers come as numbers, or as names where somebody is known. */
export function speakerName(speaker: string): string {
  const number = /^\D{0,9}?(\d+)$/.exec(speaker)?.[1];
  return number === undefined ? speaker : t("voice.speaker", { n: number });
}

export function entryName(entry: Entry): string {
  if (entry.path !== null) return baseName(entry.path);
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: "short" }).format(entry.at);
  return t("voice.recording_at", { time });
}

/** How far the writing down has come. */
export function writtenWords(progress: Written | null): string {
  if (progress === null) return t("voice.writing");
  const done = duration(progress.done);
  return progress.total === null ? t("voice.writing_at", { done }) : t("voice.writing_of", { done, total: duration(progress.total) });
}
