// Words for what the engine tells by a code with its figures: reasons, notices about an answer, warnings
// about a file. The keys are typed by the wire's closed lists, so a code without words does not compile.
import type { LedgerFault, Notice, Reason, Standing, Warning } from "$/ipc/bindings";
import { bytes } from "$/lib/format";
import { t, type Key, type Values } from "./index.svelte";

export const reasonWords = (reason: Reason): string => t(`reason.${reason.code}`, figures(reason));
export const noticeWords = (notice: Notice): string => t(`remark.${notice.code}`, figures(notice));
export const warningWords = (warning: Warning): string => t(`warning.${warning.code}`, figures(warning));
export const standingWords = (standing: Standing): string => t(`standing.${standing.code}`, figures(standing));

export const faultWords = (fault: LedgerFault): string => t(`fault.${fault.code}`, figures(fault));

function figures(told: object): Values {
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, shown(name, value)]));
}

/** A figure as people read it, by its name on the wire. */
function shown(name: string, value: unknown): string | number {
  if (name.endsWith("bytes")) return bytes(Number(value));
  if (name === "score" || name === "threshold") return Number(value).toFixed(2);
  if (name === "entity") return t(`entity.${String(value)}` as Key);
  if (name === "choice") return t(`route.${String(value)}` as Key);
  if (name === "inner") return warningWords(value as Warning);
  return typeof value === "number" ? value : String(value);
}
