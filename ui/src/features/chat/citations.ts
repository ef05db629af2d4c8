// From a citation to the file it stands in. A citation names a file as the engine knows it; the question
// holds the paths.
import type { Citation } from "$/ipc/bindings";
import type { Client } from "$/ipc/client";
import { baseName } from "$/lib/format";

/** The path of a cited file: the question's own one of that name, or the name as it is. */
export function pathOf(file: string, paths: readonly string[]): string {
  return (
    paths.find((path) => path === file) ?? paths.find((path) => baseName(path) === baseName(file)) ?? file
  );
}

export const openCitation = (client: Client, citation: Citation, paths: readonly string[]): Promise<void> =>
  client.openPath(pathOf(citation.file, paths), citation.page);
