// The user's own list of what is always hidden and what never is, changed as pure functions; the engine says
// what a good list is and keeps it.
import type { EntityType, OwnList } from "$/ipc/bindings";

/** The types that people put on a list, the likeliest first. */
export const LISTED: readonly EntityType[] = ["PERSON", "ORG", "LOCATION", "ADDRESS", "ACCOUNT", "SECRET"];

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Names in one line: 张伟, Zhang Wei、张总. */
export const namesIn = (line: string): string[] => line.split(/[,，、;；\n]/).map((name) => name.trim()).filter((name) => name !== "");

/** The list without these names. */
export function without(list: OwnList, names: readonly string[]): OwnList {
  const rest = (all: readonly string[]) => all.filter((name) => !names.some((other) => same(name, other)));
  return {
    hide: list.hide.map((entry) => ({ ...entry, names: rest(entry.names) })).filter((entry) => entry.names.length > 0),
    keep: rest(list.keep),
  };
}

/** The list with these names, of one person or thing, always hidden; the last wish for a name holds. */
export function hiding(list: OwnList, type: EntityType, names: readonly string[]): OwnList {
  const rest = without(list, names);
  return { ...rest, hide: [...rest.hide, { type, names: [...names] }] };
}

/** The list with these names never hidden. */
export function keeping(list: OwnList, names: readonly string[]): OwnList {
  const rest = without(list, names);
  return { ...rest, keep: [...rest.keep, ...names] };
}
