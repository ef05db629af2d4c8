// Typesets TeX with KaTeX. Inline styles become data-style, which the Markdown component sets through the
// style object: the content security policy allows no style attributes in markup.
import katex from "katex";
import "katex/dist/katex.min.css";

export function typeset(tex: string, displayMode: boolean): string {
  const html = katex.renderToString(tex, {
    displayMode,
    throwOnError: false,
    strict: "ignore",
    trust: false,
    maxSize: 40,
    maxExpand: 500,
  });
  return html.replaceAll(' style="', ' data-style="');
}
