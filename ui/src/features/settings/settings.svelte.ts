// The settings as the engine keeps them, and how they show at once: language, theme, zoom and font size.
// It owns the window's copy; every change goes through one patch.
import type { Settings } from "$/ipc/bindings";
import type { Client, SettingsChange } from "$/ipc/client";
import { resolveLocale, setLocale } from "$/i18n/index.svelte";
import type { Notices } from "$/lib/notices.svelte";

const DEFAULTS: Settings = {
  language: "system", theme: "system", zoom: 100, font_size: 14, local_only: false, default_route: "auto",
  chat_model: "", device: "auto", privacy: "balanced", actions: {}, provider: null, proxy: "", hub_endpoint: "",
  global_shortcut: "", autostart: false, close_to_tray: true, notifications: true, welcome_done: true,
  max_tokens: 1024, temperature_milli: 700,
  voice: { microphone: null, language: "auto", chinese: "simplified", vocabulary: [], shortcut: "" },
};

const ZOOM_STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200];

/** The next step of zoom above or below. */
export function zoomStep(now: number, up: boolean): number {
  const next = up ? ZOOM_STEPS.find((step) => step > now) : ZOOM_STEPS.findLast((step) => step < now);
  return next ?? now;
}

export class SettingsStore {
  value = $state.raw<Settings>(DEFAULTS);
  loaded = $state(false);

  constructor(
    private readonly client: Client,
    private readonly notices: Notices,
  ) {}

  async refresh(): Promise<void> {
    await this.notices.guard(async () => {
      this.value = await this.client.settingsGet();
      this.loaded = true;
    });
  }

  /** Shows the change at once, and takes it back if the engine refuses it. */
  async update(patch: SettingsChange): Promise<boolean> {
    const before = this.value;
    this.value = { ...before, ...(patch as Partial<Settings>), voice: { ...before.voice, ...(patch.voice as Partial<Settings["voice"]> | undefined) } };
    const kept = await this.notices.guard(async () => {
      this.value = await this.client.settingsUpdate(patch);
    });
    if (!kept) this.value = before;
    return kept;
  }
}

/** Puts the settings on the page. `system` is what the platform prefers. */
export function show(settings: Settings, system: { locale: string; dark: boolean }, root: HTMLElement): void {
  const locale = resolveLocale(settings.language, system.locale);
  setLocale(locale);
  root.lang = locale;
  const dark = settings.theme === "system" ? system.dark : settings.theme === "dark";
  root.dataset.theme = dark ? "dark" : "light";
  root.style.setProperty("--zoom", String(settings.zoom / 100));
  root.style.setProperty("--reading", `${settings.font_size / 16}rem`);
}
