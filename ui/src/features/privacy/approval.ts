// What the approval drawer shows and what a choice in it means, as pure functions over the preview. It sends
// nothing and never changes the outgoing text itself: the gate does, and answers with a new preview.
import type { Action, EntityEdit, EntityType, Ground, Preview, PreviewBlock, Span } from "$/ipc/bindings";

export interface Segment {
  text: string;
  /** Index into the block's spans; null for the text between them. */
  span: number | null;
}

export interface Place {
  block: number;
  span: number;
}

/** One value, wherever it stands: a choice holds for all its places. */
export interface Entity {
  key: string;
  type: EntityType;
  text: string;
  ground: Ground;
  /** What the recogniser says, for those who want to know: in English. */
  why: string;
  action: Action;
  replacement: string;
  places: Place[];
}

export type Hue = "person" | "contact" | "place" | "number" | "money" | "secret" | "other";

const HUES: Record<EntityType, Hue> = {
  PERSON: "person", DATE_OF_BIRTH: "person", AGE: "person", TITLE: "person", NRP: "person",
  PHONE: "contact", EMAIL: "contact", IP: "contact", MAC: "contact", URL: "contact", ACCOUNT: "contact",
  ADDRESS: "place", LOCATION: "place", POSTCODE: "place",
  NATIONAL_ID: "number", PASSPORT: "number", DRIVER_LICENSE: "number", LICENSE_PLATE: "number",
  MEDICAL_ID: "number", EMPLOYEE_OR_STUDENT_ID: "number", VEHICLE_ID: "number", TAX_ID: "number",
  ORG_ID: "number",
  BANK_CARD: "money", BANK_ACCOUNT: "money", CRYPTO: "money",
  SECRET: "secret",
  ORG: "other", DATE_TIME: "other",
};

export const hueOf = (type: EntityType): Hue => HUES[type] ?? "other";

/** Cuts the original along its spans. Offsets count code points, not UTF-16 units. */
function originalSegments(block: PreviewBlock): Segment[] {
  const points = Array.from(block.original);
  const order = block.spans.map((span, index) => ({ span, index })).sort((a, b) => a.span.start - b.span.start);
  const segments: Segment[] = [];
  let at = 0;
  for (const { span, index } of order) {
    if (span.start < at) continue;
    if (span.start > at) segments.push({ text: points.slice(at, span.start).join(""), span: null });
    segments.push({ text: points.slice(span.start, span.end).join(""), span: index });
    at = span.end;
  }
  if (at < points.length) segments.push({ text: points.slice(at).join(""), span: null });
  return segments;
}

const leaves = (span: Span): string => (span.action === "keep" ? span.text : span.replacement);

/**
 * Original and outgoing text with the entities marked. The outgoing side is trusted only when its pieces add
 * up to the text that will really be sent; otherwise it is shown unmarked, since marks must never lie.
 */
export function segments(block: PreviewBlock): { original: Segment[]; outgoing: Segment[] } {
  const original = originalSegments(block);
  const outgoing = original.map((part) =>
    part.span === null ? part : { text: leaves(block.spans[part.span]!), span: part.span },
  );
  const adds = outgoing.map((part) => part.text).join("") === block.outgoing;
  return { original, outgoing: adds ? outgoing : [{ text: block.outgoing, span: null }] };
}

/** Every value found, in the order of its first place. */
export function entities(preview: Preview): Entity[] {
  const found = new Map<string, Entity>();
  preview.blocks.forEach((block, blockIndex) => {
    block.spans.forEach((span, spanIndex) => {
      const key = `${span.type}:${span.text}`;
      const place = { block: blockIndex, span: spanIndex };
      const known = found.get(key);
      if (known) {
        known.places.push(place);
        return;
      }
      const { type, text, ground, why, action, replacement } = span;
      found.set(key, { key, type, text, ground, why, action, replacement, places: [place] });
    });
  });
  return [...found.values()];
}

/** The edits with this choice added; an earlier choice for the same value is replaced. */
export function withEdit(
  edits: readonly EntityEdit[],
  entity: Entity,
  action: Action,
  replacement: string | null,
): EntityEdit[] {
  const same = (edit: EntityEdit) =>
    entity.places.some((place) => place.block === edit.block && place.span === edit.span);
  const place = entity.places[0]!;
  return [
    ...edits.filter((edit) => !same(edit)),
    { ...place, action, replacement: action === "edit" ? replacement : null },
  ];
}

export interface Tally {
  hidden: number;
  kept: number;
  refusing: number;
}

export function tally(list: readonly Entity[]): Tally {
  const count = (test: (entity: Entity) => boolean) => list.filter(test).length;
  return {
    hidden: count((entity) => !["keep", "refuse"].includes(entity.action)),
    kept: count((entity) => entity.action === "keep"),
    refusing: count((entity) => entity.action === "refuse"),
  };
}

/** The choices offered for an entity; `fake` only where the gate already chose it, and no more than hiding or
 *  not for what the user hid. */
export function choices(entity: Entity, added = false): Action[] {
  if (added) return ["keep", "mask"];
  const offered: Action[] = ["keep", "mask", "generalise"];
  if (entity.action === "fake") offered.push("fake");
  offered.push("edit");
  return offered;
}
