// Remembers the step of the welcome across restarts of the window, in the webview's own storage. It holds a
// small number and nothing of the user's.
const NAME = "welcome-step";

export function rememberedStep(count: number): number {
  try {
    const step = Number(localStorage.getItem(NAME) ?? 0);
    return Number.isInteger(step) && step >= 0 && step < count ? step : 0;
  } catch {
    return 0;
  }
}

export function rememberStep(step: number): void {
  try {
    localStorage.setItem(NAME, String(step));
  } catch {
    // Without storage the welcome starts from its first step again, which is all that is lost.
  }
}
