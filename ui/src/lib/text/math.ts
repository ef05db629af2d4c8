// Finds TeX in Markdown by Pandoc's rules, and typesets it with KaTeX once that is loaded. In `$…$` the
// opening dollar has a non-space on its right, the closing one a non-space on its left and no digit after
// it: so "$59 and $100" is money. Two more rules of ours catch what those let through: Chinese words, and a
// sum followed by a word, are prose. `\(…\)`, `\[…\]` and `$$…$$` are always maths.
import type { TokenizerAndRendererExtension, Tokens } from "marked";
import { escapeHtml } from "./escape";

/** Typesets one formula to HTML; null while KaTeX is not loaded. */
export type Typeset = ((tex: string, display: boolean) => string) | null;

// A dollar may be escaped inside; a blank line ends the paragraph and so the formula.
const INLINE = /^\$(?![\s$])((?:\\[\s\S]|[^$\\\n]|\n(?!\s*\n))*?(?:\\[\s\S]|[^\s$\\]))\$(?!\d)/;
const PARENS = /^\\\(([\s\S]+?)\\\)/;
const BLOCK = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])(?:[ \t]*(?:\n+|$))/;
const INLINE_DISPLAY = /^(?:\$\$([^$\n]+?)\$\$|\\\[([\s\S]+?)\\\])/;

export interface Formula {
  raw: string;
  tex: string;
}

const TEX_WORDS = /\\(?:text|mathrm|textbf|operatorname)\s*\{[^}]*\}/g;
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;
const SUM_AND_WORD = /^\d[\d.,]*\s+\p{L}{2,}/u;

const isProse = (tex: string): boolean => CHINESE.test(tex.replace(TEX_WORDS, "")) || SUM_AND_WORD.test(tex);

/** The inline formula at the very start of `source`. */
export function inlineMath(source: string): Formula | null {
  const dollars = INLINE.exec(source);
  if (dollars && !isProse(dollars[1]!)) return { raw: dollars[0], tex: dollars[1]!.trim() };
  const match = PARENS.exec(source);
  return match ? { raw: match[0], tex: match[1]!.trim() } : null;
}

function displayed(match: RegExpExecArray | null): Formula | null {
  return match ? { raw: match[0], tex: (match[1] ?? match[2] ?? "").trim() } : null;
}

function html(formula: Tokens.Generic, display: boolean, typeset: Typeset): string {
  const tex = String(formula.tex);
  const tag = display ? "div" : "span";
  if (!typeset) return `<${tag} class="math-source">${escapeHtml(tex)}</${tag}>`;
  return `<${tag} class="math">${typeset(tex, display)}</${tag}>`;
}

/** Marked extensions for block and inline formulas. */
export function mathExtensions(typeset: () => Typeset): TokenizerAndRendererExtension[] {
  return [
    {
      name: "mathBlock",
      level: "block",
      start: (source) => source.match(/\$\$|\\\[/)?.index,
      tokenizer(source) {
        const found = displayed(BLOCK.exec(source));
        return found ? { type: "mathBlock", ...found } : undefined;
      },
      renderer: (token) => html(token, true, typeset()),
    },
    {
      name: "mathInline",
      level: "inline",
      start: (source) => source.match(/\$|\\\(|\\\[/)?.index,
      tokenizer(source) {
        const display = displayed(INLINE_DISPLAY.exec(source));
        if (display) return { type: "mathInline", display: true, ...display };
        const found = inlineMath(source);
        return found ? { type: "mathInline", display: false, ...found } : undefined;
      },
      renderer: (token) => html(token, token.display === true, typeset()),
    },
  ];
}
