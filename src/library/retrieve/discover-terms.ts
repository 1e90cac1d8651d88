import type { FileProfile } from "./file-profile.ts";
import { stemsOf } from "./task-keywords.ts";

export interface Discovery {
  readonly keywords: readonly string[];
  readonly limit: number;
}

const LEAST_LETTERS = 5;
const MAX_LETTERS = 60;

/**
 * Names that this code base uses for what the task is about: made of several words, one of them a keyword's. Those that are
 * defined and those that are frequent come first; a name of the language has one word and is none.
 */
export function discoverTerms(file: FileProfile, { keywords, limit }: Discovery): readonly string[] {
  const stems = new Set(keywords.flatMap(stemsOf));
  const known = new Set(keywords.map((keyword) => keyword.toLowerCase()));
  return [...file.names]
    .filter(([name]) => name.length >= LEAST_LETTERS && name.length <= MAX_LETTERS && !known.has(name.toLowerCase()))
    .map(([name, count]) => ({ name, worth: weighName(file, { name, count, stems }) }))
    .filter(({ worth }) => worth > 0)
    .sort((left, right) => right.worth - left.worth || (left.name < right.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function weighName(
  file: FileProfile,
  { name, count, stems }: { readonly name: string; readonly count: number; readonly stems: ReadonlySet<string> },
): number {
  const words = stemsOf(name);
  if (words.length < 2) return 0;
  const shared = words.filter((word) => stems.has(word)).length;
  return shared * (file.definitions.has(name) ? 2 : 1) * Math.log2(1 + count);
}

/** Types of the language's own that are written like a project's. */
const BUILT_IN: ReadonlySet<string> = new Set(
  "RegExp TypeError RangeError SyntaxError ReadonlyMap ReadonlySet ReadonlyArray WeakMap WeakSet ArrayBuffer AsyncGenerator AsyncIterable AbortSignal AbortController TextEncoder TextDecoder NullPointerException RuntimeException IllegalArgumentException ValueError KeyError RuntimeError ArrayList HashMap HashSet".split(
    " ",
  ),
);
/** `BillDraft`, not `billDraft` and not `BILL_DRAFT`. */
const TYPE_NAME = /^\p{Lu}\p{Ll}[\p{L}\p{N}]*$/u;

/** Types that the best files have in common, whatever the task calls them: a person says invoice, the code says `BillDraft`. */
export function discoverSharedTypes(files: readonly FileProfile[], { keywords, limit }: Discovery): readonly string[] {
  const known = new Set(keywords);
  const counts = new Map<string, number>();
  for (const { names } of files) for (const name of names.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && TYPE_NAME.test(name) && stemsOf(name).length > 1)
    .filter(([name]) => !BUILT_IN.has(name) && !known.has(name))
    .sort(([left, most], [right, other]) => other - most || (left < right ? -1 : 1))
    .slice(0, limit)
    .map(([name]) => name);
}
