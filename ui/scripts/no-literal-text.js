// An ESLint rule for .svelte files: visible text must come from i18n. It looks at text nodes and at the
// attributes that people see or hear; it does not judge strings in scripts.
const SPOKEN = new Set(["title", "aria-label", "placeholder", "alt", "label"]);
const WORD = /\p{L}{2,}/u;
/** Names of keys, addresses and placeholders are the same in every language. */
const UNIVERSAL = /\b(?:Esc|Enter|Ctrl|Shift)\b|\b[a-z0-9]+:\/\/\S+|\b[A-Z]+_\d+\b/g;
const hasWords = (text) => WORD.test(text.replace(UNIVERSAL, ""));

export const noLiteralText = {
  meta: {
    type: "problem",
    messages: { literal: "“{{text}}” is visible: give it a key in src/i18n and use t()." },
    schema: [],
  },
  create(context) {
    const report = (node, text) =>
      context.report({ node, messageId: "literal", data: { text: text.trim().slice(0, 40) } });
    return {
      SvelteText(node) {
        const parent = node.parent?.type;
        if (parent === "SvelteScriptElement" || parent === "SvelteStyleElement") return;
        if (hasWords(node.value)) report(node, node.value);
      },
      SvelteLiteral(node) {
        const attribute = node.parent;
        if (attribute?.type !== "SvelteAttribute") return;
        const name = attribute.key?.name;
        if (SPOKEN.has(name) && hasWords(node.value)) report(node, node.value);
      },
    };
  },
};
