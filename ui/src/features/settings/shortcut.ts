// From a key press to an accelerator as Tauri spells it, e.g. `CommandOrControl+Shift+Space`.
interface Press {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const MODIFIERS = new Set(["Control", "Meta", "Alt", "Shift", "AltGraph"]);

/** Null while only modifiers are held, or where nothing keeps the key apart from typing. */
export function accelerator(press: Press): string | null {
  if (MODIFIERS.has(press.key)) return null;
  const functionKey = /^F\d{1,2}$/.test(press.code);
  if (!press.ctrlKey && !press.metaKey && !press.altKey && !functionKey) return null;
  const parts = [];
  if (press.ctrlKey || press.metaKey) parts.push("CommandOrControl");
  if (press.altKey) parts.push("Alt");
  if (press.shiftKey) parts.push("Shift");
  parts.push(press.code.replace(/^(Key|Digit)/, ""));
  return parts.join("+");
}

/** As people write it on their platform. */
export function readable(value: string, mac: boolean): string {
  const names: Record<string, string> = mac
    ? { CommandOrControl: "⌘", Shift: "⇧", Alt: "⌥" }
    : { CommandOrControl: "Ctrl" };
  return value
    .split("+")
    .map((part) => names[part] ?? part)
    .join(mac ? " " : "+");
}
