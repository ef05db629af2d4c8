// Lint rules of the window, with our own rule that every visible string is a key of i18n.
import svelte from "eslint-plugin-svelte";
import tseslint from "typescript-eslint";
import { noLiteralText } from "./scripts/no-literal-text.js";
import svelteConfig from "./svelte.config.js";

const browser = ["window", "document", "navigator", "console", "setTimeout", "clearTimeout"];

export default tseslint.config(
  { ignores: ["**/dist/**", "**/src/ipc/bindings.ts"] },
  ...tseslint.configs.recommended,
  ...svelte.configs["flat/recommended"],
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: tseslint.parser, svelteConfig } },
    plugins: { nearside: { rules: { "no-literal-text": noLiteralText } } },
    rules: {
      "nearside/no-literal-text": "error",
      // Only Markdown.svelte renders HTML, which our own renderer has escaped; it says so there.
      "svelte/no-at-html-tags": "error",
    },
  },
  {
    languageOptions: { globals: Object.fromEntries(browser.map((name) => [name, "readonly"])) },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "no-console": "error",
      eqeqeq: "error",
    },
  },
  {
    // One file talks to the shell, so that everything else runs on a fake.
    files: ["**/src/**"],
    ignores: ["**/src/ipc/client.ts", "**/src/ipc/tauri.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: ["@tauri-apps/*"] }] },
  },
  // Sets and maps that live for one call need no signals.
  { files: ["**/src/**"], rules: { "svelte/prefer-svelte-reactivity": "off" } },
  {
    files: ["**/scripts/**"],
    languageOptions: { globals: { process: "readonly" } },
    rules: { "no-console": "off" },
  },
);
