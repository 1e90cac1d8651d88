import { hashText } from "../../../core/hash.ts";
import { type InstructionFile, sortByScope } from "./instruction-file.ts";

export interface DedupedFiles {
  /** In the order of scopes; of several files that say the same, the first. */
  readonly files: readonly InstructionFile[];
  readonly duplicates: readonly DuplicateFile[];
}

export interface DuplicateFile {
  readonly path: string;
  /** The file that is told instead. */
  readonly sameAs: string;
}

/** The same instructions from several scopes once, by a hash of their words: spaces and line ends do not make another text. */
export function dedupeFiles(files: readonly InstructionFile[]): DedupedFiles {
  const first = new Map<string, InstructionFile>();
  const duplicates: DuplicateFile[] = [];
  for (const file of sortByScope(files)) {
    const words = file.text.split(/\s+/).filter(Boolean).join(" ");
    if (words === "") continue;
    // Two seeds, and the length in the key: what is dropped for a collision would be dropped silently.
    const key = `${hashText(words)}${hashText(words, 1)}${words.length}`;
    const known = first.get(key);
    if (known) duplicates.push({ path: file.path, sameAs: known.path });
    else first.set(key, file);
  }
  return { files: [...first.values()], duplicates };
}
