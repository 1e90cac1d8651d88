import type { FileRecord } from "../../session/track-files.ts";
import { type IndexedFile, renderGrouped } from "./group-paths.ts";
import { renderList, type Section } from "./section.ts";

const HEADING = "## Files (+ created, ~ changed, others read; #hash of the content, lines last read, r last request)";
const HASH_CHARACTERS = 6;

/**
 * Every file the session knows. What is left out first, from the end of the list: notes of files that were only read, notes
 * of changed ones, then names, the longest untouched first. Hence twice as many items as there are files.
 */
export function createFileSection(files: readonly FileRecord[], shorten: (text: string) => string): Section {
  const ordered = [...files].sort(
    (left, right) =>
      Number(right.changedRequest > 0) - Number(left.changedRequest > 0) || right.lastRequest - left.lastRequest,
  );
  const render = (count: number): string => {
    const shown = ordered.slice(0, count);
    const noted = Math.max(0, count - ordered.length);
    const lines = renderGrouped(shown.map((file, index) => describe(file, shorten, { isNoted: index < noted })));
    return renderList(HEADING, lines);
  };
  return { name: "files", items: ordered.length * 2, share: 0.12, most: 0.4, render };
}

function describe(
  file: FileRecord,
  shorten: (text: string) => string,
  { isNoted }: { readonly isNoted: boolean },
): IndexedFile {
  const { isCreated, changedRequest, contentHash, lastRange, lastRequest } = file;
  const range = lastRange
    ? `L${lastRange.first}-${lastRange.last === Number.MAX_SAFE_INTEGER ? "" : lastRange.last}`
    : "";
  const notes = [contentHash === "" ? "" : `#${contentHash.slice(0, HASH_CHARACTERS)}`, range, `r${lastRequest}`];
  return {
    path: shorten(file.path).replace(/[\r\n]+/g, " "),
    mark: isCreated ? "+" : changedRequest > 0 ? "~" : "",
    note: isNoted ? notes.filter((note) => note !== "").join(" ") : "",
  };
}
