// Escapes text for HTML. Everything that a model or a file wrote passes here before it becomes markup.
const NAMES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => NAMES[c]!);

/** The address if it may be offered as a link, else null: only the web and mail, never script or file. */
export function safeLink(address: string): string | null {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
