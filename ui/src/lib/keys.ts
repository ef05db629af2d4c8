// The window's keys, as one table that the handler, the tooltips and the shortcut list share.
import type { Key } from "$/i18n/index.svelte";

export const SHORTCUTS = {
  palette: { keys: "Mod+K", title: "shortcuts.palette" },
  new: { keys: "Mod+N", title: "shortcuts.new" },
  settings: { keys: "Mod+,", title: "shortcuts.settings" },
  sidebar: { keys: "Mod+B", title: "shortcuts.sidebar" },
  zoom_in: { keys: "Mod+=", title: "shortcuts.zoom_in" },
  zoom_out: { keys: "Mod+-", title: "shortcuts.zoom_out" },
  zoom_reset: { keys: "Mod+0", title: "shortcuts.zoom_reset" },
  shortcuts: { keys: "F1", title: "shortcuts.list" },
  stop: { keys: "Escape", title: "shortcuts.stop" },
} as const satisfies Record<string, { keys: string; title: Key }>;

export type Shortcut = keyof typeof SHORTCUTS;

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The shortcut of a key press. The Command key of a Mac and Control elsewhere are the same to us. */
export function shortcutOf(press: Press): Shortcut | null {
  const mod = press.ctrlKey || press.metaKey;
  if (!mod && !press.altKey && press.key === "F1") return "shortcuts";
  if (!mod && !press.altKey && !press.shiftKey && press.key === "Escape") return "stop";
  if (!mod || press.altKey) return null;
  switch (press.key.toLowerCase()) {
    case "k":
      return "palette";
    case "n":
      return press.shiftKey ? null : "new";
    case ",":
      return "settings";
    case "b":
      return "sidebar";
    // Plus is Shift+= on many keyboards, and its own key on others.
    case "+":
    case "=":
      return "zoom_in";
    case "-":
    case "_":
      return "zoom_out";
    case "0":
      return "zoom_reset";
    default:
      return null;
  }
}

/** A combination as this platform writes it. */
export function keysText(keys: string, mac: boolean): string {
  const names: Record<string, string> = mac
    ? { Mod: "⌘", Shift: "⇧", Escape: "Esc", "-": "−" }
    : { Mod: "Ctrl", Escape: "Esc", "-": "−" };
  return keys
    .split("+")
    .map((part) => names[part] ?? part)
    .join(mac ? "" : "+");
}
