// The language of the window: which one it is, and `t` for every visible string. Switching is live, since
// `t` reads the state. It owns the locale and nothing else; the key check is ui/scripts/check-i18n.js.
import type { Language } from "$/ipc/bindings";
import en from "./en.json";
import zh from "./zh-CN.json";

export type Locale = "en" | "zh-CN";
export type Key = keyof typeof en;
/** A key without its plural ending. */
export type PluralKey = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;
export type Values = Record<string, string | number>;

const TABLES: Record<Locale, Record<string, string>> = { en, "zh-CN": zh };

let current = $state<Locale>("en");

export const locale = (): Locale => current;

/** The language to show for a setting and what the system says. */
export function resolveLocale(setting: Language, system: string): Locale {
  if (setting !== "system") return setting;
  return system.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
}

export function setLocale(next: Locale): void {
  current = next;
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? formatValue(values[name]!) : whole,
  );
}

const formatValue = (value: string | number): string =>
  typeof value === "number" ? new Intl.NumberFormat(current).format(value) : value;

export function t(key: Key, values: Values = {}): string {
  return fill(TABLES[current][key] ?? key, values);
}

/** The form of `key` that fits `count`; `{n}` in it is the count. */
export function plural(key: PluralKey, count: number, values: Values = {}): string {
  const form = new Intl.PluralRules(current).select(count) === "one" ? "one" : "other";
  const table = TABLES[current];
  return fill(table[`${key}_${form}`] ?? table[`${key}_other`] ?? key, { ...values, n: count });
}

/**
 * A sentence for a failure's code. The engine writes English with its figures in it, so that is kept in
 * English; in other languages ours stands in, and its own words where we have none.
 */
export function coded(room: string, code: string, otherwise: string, values: Record<string, string | undefined> = {}): string {
  if (current === "en" && otherwise !== "") return otherwise;
  const known = TABLES[current][`${room}.${code}`];
  return known === undefined ? otherwise : fill(known, values as Values);
}
