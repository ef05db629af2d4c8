// A toy gate for the fake client: a few patterns, typed placeholders, edits by value. The real one is a crate.
import type { Action, EntityEdit, EntityType, Preview, PreviewBlock, Span } from "../bindings";

const PATTERNS: readonly [EntityType, RegExp, string][] = [
  ["NATIONAL_ID", /\d{17}[\dXx]/gu, "cn_resident_id: checksum and date valid"],
  ["PHONE", /1[3-9]\d[ -]?\d{4}[ -]?\d{4}/gu, "cn_mobile: valid mainland mobile"],
  ["EMAIL", /[\w.]+@[\w.]+\w/gu, "email: address form"],
  ["PERSON", /Ms Chen|陈女士/gu, "names: title and surname"],
  ["ORG", /Harbour Estates|海港置业/gu, "names: organisation"],
  ["ADDRESS", /朝阳区建国路 8 号|8 Jianguo Road, Chaoyang/gu, "address: district, road and number"],
];

const GENERAL: Partial<Record<EntityType, string>> = { ADDRESS: "Beijing, Chaoyang", PERSON: "a person", ORG: "a company" };

const points = (text: string): number => Array.from(text).length;

function spansOf(text: string, numbers: Map<string, string>): Span[] {
  const spans: Span[] = [];
  for (const [type, pattern, why] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const start = points(text.slice(0, match.index));
      const end = start + points(match[0]);
      if (spans.some((span) => start < span.end && span.start < end)) continue;
      const known = numbers.get(`${type}:${match[0]}`);
      const taken = [...numbers.keys()].filter((key) => key.startsWith(`${type}:`)).length;
      const replacement = known ?? `${type}_${taken + 1}`;
      numbers.set(`${type}:${match[0]}`, replacement);
      const action: Action = type === "ADDRESS" ? "generalise" : "mask";
      spans.push({ start, end, type, text: match[0], action, replacement: action === "mask" ? replacement : GENERAL[type]!, ground: "settled", why });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

const written = (block: PreviewBlock): string => {
  const letters = Array.from(block.original);
  let at = 0;
  let out = "";
  for (const span of block.spans) {
    out += letters.slice(at, span.start).join("") + span.replacement;
    at = span.end;
  }
  return out + letters.slice(at).join("");
};

async function finish(preview: Omit<Preview, "body" | "bytes" | "sha256">): Promise<Preview> {
  const messages = preview.blocks.map(({ role, outgoing }) => ({ role, content: outgoing }));
  const body = JSON.stringify({ model: preview.model, stream: true, messages }, null, 2);
  const data = new TextEncoder().encode(body);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...preview, body, bytes: data.length, sha256 };
}

export async function previewOf(id: string, text: string): Promise<Preview> {
  const numbers = new Map<string, string>();
  const system = "Answer in the language of the question. Keep placeholders such as PERSON_1 as they are.";
  const blocks = [
    { role: "system" as const, original: system, outgoing: system, spans: [] },
    { role: "user" as const, original: text, outgoing: "", spans: spansOf(text, numbers) },
  ];
  blocks[1]!.outgoing = written(blocks[1]!);
  return finish({ id, destination: "api.example.com", model: "large-1", blocks, name_model: true, leaks: [] });
}

export async function edited(preview: Preview, edits: readonly EntityEdit[]): Promise<Preview> {
  const first = await previewOf(preview.id, preview.blocks[1]!.original);
  const blocks = structuredClone(first.blocks);
  for (const edit of edits) {
    const target = first.blocks[edit.block]!.spans[edit.span]!;
    for (const span of blocks.flatMap((block) => block.spans)) {
      if (span.type !== target.type || span.text !== target.text) continue;
      span.action = edit.action;
      if (edit.action === "keep") span.replacement = span.text;
      else if (edit.action === "edit") span.replacement = edit.replacement ?? "";
      else if (edit.action === "generalise") span.replacement = GENERAL[span.type] ?? "…";
      else span.replacement = `${span.type}_1`;
    }
  }
  for (const block of blocks) block.outgoing = written(block);
  return finish({ ...first, blocks });
}
