// Fails when the two languages do not have the same keys or placeholders, when a key that the code uses
// does not exist, or when a key is used nowhere. Keys built at run time are listed by their prefix.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "../src");
const load = (name) => JSON.parse(readFileSync(join(source, "i18n", name), "utf8"));
const english = load("en.json");
const chinese = load("zh-CN.json");
const problems = [];

/** Prefixes whose last word is a value of the wire types, such as `entity.PERSON`. */
const DYNAMIC = load("dynamic.json");

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort().join();
for (const key of new Set([...Object.keys(english), ...Object.keys(chinese)])) {
  if (!(key in english)) problems.push(`${key} is missing in en.json`);
  else if (!(key in chinese)) problems.push(`${key} is missing in zh-CN.json`);
  else if (placeholders(english[key]) !== placeholders(chinese[key]))
    problems.push(`${key} has other placeholders in zh-CN.json`);
}

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(svelte|ts)$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const text = files.map((file) => readFileSync(file, "utf8")).join("\n");

// Keys are flat words with a dot, so a quoted one can be told from other strings by its first word.
const rooms = new Set(Object.keys(english).map((key) => key.split(".")[0]));
const used = new Set();
for (const [, key] of text.matchAll(/["'`]([a-z]+\.[\w.]+)["'`]/g)) {
  if (rooms.has(key.split(".")[0])) used.add(key);
}
const plural = (key) => key.replace(/_(one|other)$/, "");
const known = new Set(Object.keys(english).flatMap((key) => [key, plural(key)]));
for (const key of used) if (!known.has(key)) problems.push(`${key} is used and does not exist`);
for (const key of Object.keys(english)) {
  const dynamic = DYNAMIC.some((prefix) => key.startsWith(prefix));
  if (!dynamic && !used.has(key) && !used.has(plural(key))) problems.push(`${key} is used nowhere`);
}

// Every code that a failure can have has words of ours.
const rust = ["../../crates", "../../src-tauri"].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs") && !/tests?\b/.test(entry.parentPath ?? entry.path))
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8")),
);
// `Failure::coded(kind, "code", …)`, `(FailureKind::X, "code")`, and the arms of an error's own `code`.
const CODES = [/\bcoded\(\s*[\w:]+,\s*"(\w+)"/g, /\(FailureKind::\w+,\s*"(\w+)"\)/g];
const ARMS = /fn code\(&self\)[\s\S]*?\n    \}\n|let code = match [\s\S]*?\};/g;
const codes = new Set(rust.flatMap((file) => [
  ...CODES.flatMap((pattern) => [...file.matchAll(pattern)]),
  ...[...file.matchAll(ARMS)].flatMap(([body]) => [...body.matchAll(/=> "(\w+)"/g)]),
].map(([, code]) => code)));
for (const code of codes) if (!(`failure.${code}` in english)) problems.push(`failure.${code} has no words`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`i18n: ${Object.keys(english).length} keys in two languages, all used; ${codes.size} failures have words.`);
