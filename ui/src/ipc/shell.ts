// What the shell itself tells the window, beside the wire types of crates/types. Types only.
export type AppInfo = {
  version: string;
  /** `windows`, `macos` or `linux`. */
  platform: string;
  /** The system's language, e.g. `zh-CN`. */
  locale: string;
  data_dir: string;
  models_dir: string;
  /** Whether this desktop has a tray; without one, closing the window ends the program. */
  tray: boolean;
};
export type VaultState = { state: "open" | "needs_passphrase" | "new" | "failed"; message: string };
/** A native drag over the window. Paths are known only on the drop. */
export type FileDrag = { phase: "over" } | { phase: "leave" } | { phase: "drop"; paths: string[] };
