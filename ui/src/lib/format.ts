// Numbers, sizes and times as people read them, in the window's language. Pure functions.
const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** Bytes in decimal units, as file managers show them: `1.2 KB`. */
export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** Seconds as `45 s`, `3:20` or `1:02:05`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const pad = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** A place in a recording: `0:07`, `3:20`, `1:02:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return whole < 60 ? `0:${String(whole).padStart(2, "0")}` : duration(whole);
}

/** Seconds left, or null where no honest estimate exists. */
export function secondsLeft(done: number, total: number, perSecond: number): number | null {
  if (perSecond <= 0 || total <= done) return null;
  return (total - done) / perSecond;
}

/** One digit below ten, none above: `8.4`, `34`. */
export const rate = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

export function dateTime(time: string | number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

export function money(amount: number, currency: string, locale: string): string {
  try {
    const style = { style: "currency", currency, maximumSignificantDigits: 2 } as const;
    return new Intl.NumberFormat(locale, style).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}

/** The last part of a path of any platform. */
export function baseName(path: string): string {
  const parts = path.split(/[\\/]/).filter(Boolean);
  return parts.at(-1) ?? path;
}

/** The first and last characters of a hash, enough to compare by eye. */
export const shortHash = (hash: string): string =>
  hash.length > 16 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash;

export type Period = "pinned" | "today" | "yesterday" | "week" | "month" | "older";

/** The heading under which a conversation stands in the list. */
export function period(thenMs: number, nowMs: number): Period {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const days = (midnight.getTime() - thenMs) / 86_400_000;
  if (days <= 0) return "today";
  if (days <= 1) return "yesterday";
  if (days <= 7) return "week";
  return days <= 30 ? "month" : "older";
}
