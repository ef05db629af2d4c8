// Builds the window into ui/dist and runs its unit tests. It adds the content security policy to the
// built page; the shell repeats it in its own configuration, and neither allows inline code or styles.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { configDefaults } from "vitest/config";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self' ipc: http://ipc.localhost",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Only the built page gets the policy: the development server injects inline styles. */
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    apply: "build",
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
        injectTo: "head-prepend",
      },
    ],
  };
}

/** Every webview we run in reads WOFF2, so KaTeX's two older font formats are left out of the bundle. */
function onlyWoff2(): Plugin {
  return {
    name: "only-woff2",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("katex.min.css")) return null;
      return code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("[a-z]+"\)/g, "");
    },
  };
}

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  base: "./",
  plugins: [contentSecurityPolicy(), onlyWoff2(), svelte()],
  // vitest runs the client half of Svelte, as the window does.
  resolve: {
    alias: { $: `${import.meta.dirname}/src` },
    ...(process.env.VITEST ? { conditions: ["browser"] } : {}),
  },
  define: { __DEMO__: JSON.stringify(mode === "demo" || mode === "development") },
  server: { port: 5173, strictPort: true, host: "localhost" },
  preview: { port: 1421, strictPort: true, host: "127.0.0.1" },
  build: {
    target: "es2022",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  test: { include: ["src/**/*.test.ts"], exclude: configDefaults.exclude, environment: "node" },
}));
