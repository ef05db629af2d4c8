// Words for a failure in the window's language: our own where we know its code, the engine's sentence else.
import type { Failure } from "$/ipc/bindings";
import { coded, locale, t } from "$/i18n/index.svelte";

export interface FailureWords {
  title: string;
  /** The engine's own sentence, where the title is only about the kind. */
  detail: string;
}

export function failureWords(failure: Failure): FailureWords {
  if (locale() === "en" && failure.message) return { title: failure.message, detail: "" };
  const known = failure.code ? coded("failure", failure.code, "", failure.values) : "";
  if (known) return { title: known, detail: "" };
  return { title: t(`failure.kind_${failure.kind}`), detail: failure.message };
}
