import { hashText } from "../../../core/hash.ts";
import { type InstructionFile, sortByScope } from "./instruction-file.ts";

export interface DedupedFiles {
  /** In the order of scopes; the first of several files with the same text. */
  readonly files: readonly InstructionFile[];
  readonly duplicates: readonly DuplicateFile[];
}

export interface DuplicateFile {
  readonly path: string;
  /** The file that is used instead. */
  readonly sameAs: string;
}

/** Keeps each text once, by a hash of its words. Whitespace and line ends make no difference. */
export function dedupeFiles(files: readonly InstructionFile[]): DedupedFiles {
  const first = new Map<string, InstructionFile>();
  const duplicates: DuplicateFile[] = [];
  for (const file of sortByScope(files)) {
    const words = file.text.split(/\s+/).filter(Boolean).join(" ");
    if (words === "") continue;
    // Two seeds, and the length in the key, because a collision would drop a file silently.
    const key = `${hashText(words)}${hashText(words, 1)}${words.length}`;
    const known = first.get(key);
    if (known) duplicates.push({ path: file.path, sameAs: known.path });
    else first.set(key, file);
  }
  return { files: [...first.values()], duplicates };
}
