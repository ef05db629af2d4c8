// Turns Markdown into HTML that cannot load or run anything: raw HTML is escaped, images become links,
// links carry their address in data-link and are opened by the shell. It renders block by block, so that a
// growing answer re-renders only its last block. It typesets nothing itself: highlighter and KaTeX are handed in.
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml, safeLink } from "./escape";
import { mathExtensions, type Typeset } from "./math";

/** Colours code; returns HTML, or null where the language is not known. */
export type Highlight = ((code: string, language: string) => string | null) | null;

export interface Rich {
  typeset: Typeset;
  highlight: Highlight;
}

export interface Labels {
  copy: string;
  image: string;
  /** Says the citation's file and page to screen readers. */
  cite: (number: number) => string;
}

export interface Block {
  /** Source and context: equal keys have equal HTML. */
  key: string;
  html: string;
}

export class MarkdownRenderer {
  readonly #marked: Marked;
  #rich: Rich = { typeset: null, highlight: null };
  #labels: Labels = { copy: "", image: "", cite: String };
  #citations = 0;
  #cache = new Map<string, string>();

  constructor() {
    this.#marked = new Marked({ gfm: true, breaks: false, async: false });
    this.#marked.use({
      extensions: [...mathExtensions(() => this.#rich.typeset), this.#citation()],
      renderer: {
        html: ({ text }) => escapeHtml(text),
        code: (token) => this.#code(token),
        image: ({ href, text }) => this.#image(href, text),
        link: (token) => this.#link(token),
        checkbox: ({ checked }) => `<input type="checkbox" disabled${checked ? " checked" : ""}> `,
        table: (token) => this.#table(token),
      },
    });
  }

  /** The blocks of `source`. `citations` is how many sources `[1]`…`[n]` may point to. */
  render(source: string, rich: Rich, labels: Labels, citations = 0): Block[] {
    this.#rich = rich;
    this.#labels = labels;
    if (citations !== this.#citations || this.#cache.size > 4000) this.#cache.clear();
    this.#citations = citations;
    const context = `${rich.typeset ? 1 : 0}${rich.highlight ? 1 : 0}${labels.copy}|`;
    const tokens = this.#marked.lexer(source);
    const links = tokens.links;
    const shared = Object.keys(links).length > 0 ? JSON.stringify(links) : "";
    return tokens
      .filter((token) => token.type !== "space" && token.type !== "def")
      .map((token) => {
        const key = context + shared + token.raw;
        let html = this.#cache.get(key);
        if (html === undefined) {
          html = this.#marked.parser(Object.assign([token] as Token[], { links }));
          this.#cache.set(key, html);
        }
        return { key, html };
      });
  }

  #citation() {
    return {
      name: "citation",
      level: "inline" as const,
      start: (source: string) => source.indexOf("["),
      tokenizer: (source: string) => {
        const match = /^\[(\d{1,2})\](?![(:[])/.exec(source);
        const number = Number(match?.[1] ?? 0);
        if (!match || number < 1 || number > this.#citations) return undefined;
        return { type: "citation", raw: match[0], number };
      },
      renderer: (token: Tokens.Generic) => {
        const number = Number(token.number);
        const label = escapeHtml(this.#labels.cite(number));
        return `<button type="button" class="cite" data-cite="${number}" aria-label="${label}" title="${label}">${number}</button>`;
      },
    };
  }

  #code({ text, lang }: Tokens.Code): string {
    const language = (lang ?? "").trim().split(/\s/)[0] ?? "";
    const body = this.#rich.highlight?.(text, language) ?? escapeHtml(text);
    const head = `<div class="code-head"><span>${escapeHtml(language)}</span><button type="button" data-copy>${escapeHtml(this.#labels.copy)}</button></div>`;
    return `<div class="code" dir="ltr">${head}<pre tabindex="0"><code>${body}\n</code></pre></div>\n`;
  }

  /** A model may write an image's address to leak what it read, so none is ever loaded. */
  #image(href: string, text: string): string {
    const label = escapeHtml(`${this.#labels.image} ${text || href}`);
    const link = safeLink(href);
    return link ? `<a class="image-link" href="${escapeHtml(link)}" data-link rel="noreferrer">${label}</a>` : label;
  }

  #link({ href, title, tokens }: Tokens.Link): string {
    const inner = this.#marked.Parser.parseInline(tokens, this.#marked.defaults);
    const link = safeLink(href);
    if (!link) return `<span>${inner}</span>`;
    const hint = escapeHtml(title || link);
    return `<a href="${escapeHtml(link)}" title="${hint}" data-link rel="noreferrer">${inner}</a>`;
  }

  #table({ header, rows }: Tokens.Table): string {
    const cell = (tag: string) => (item: Tokens.TableCell) => {
      const align = item.align ? ` class="${item.align}"` : "";
      const inner = this.#marked.Parser.parseInline(item.tokens, this.#marked.defaults);
      return `<${tag}${align}>${inner}</${tag}>`;
    };
    const head = `<tr>${header.map(cell("th")).join("")}</tr>`;
    const body = rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("");
    return `<div class="table" tabindex="0" role="group"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
  }
}
