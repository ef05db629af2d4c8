// Colours code with highlight.js, for the languages people paste most. Others stay plain.
import core from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const LANGUAGES = {
  bash, c, cpp, csharp, css, diff, go, ini, java, javascript, json, powershell, python, rust, sql, typescript,
  xml, yaml,
};
for (const [name, definition] of Object.entries(LANGUAGES)) core.registerLanguage(name, definition);

/** Long blocks are left plain: colouring them would hold up the window. */
const LONGEST = 40_000;

export function highlight(code: string, language: string): string | null {
  if (code.length > LONGEST || !core.getLanguage(language)) return null;
  return core.highlight(code, { language, ignoreIllegals: true }).value;
}
