import { requireWhole } from "../../core/require-option.ts";
import { type FileProfile, profileFile } from "./file-profile.ts";
import { type FileScore, type ScoredTask, scoreFiles } from "./score-files.ts";
import { listNamedFiles, listTaskKeywords, stemsOf } from "./task-keywords.ts";

/** Anything that can search for words: a working tree, an index, a language server. */
export interface Search {
  /** Paths of files that contain any of the terms, in any case, the best first; at most `limit`. */
  find(terms: readonly string[], limit: number): Promise<readonly string[]>;
  /** A file's text; `undefined` if it cannot be read, and then the file is skipped and counted. */
  textOf(path: string): Promise<string | undefined>;
}

export interface RetrieveOptions {
  readonly search: Search;
  readonly maxCycles?: number;
  readonly maxCandidates?: number;
  /** Stops as soon as so many files are highly relevant: few good ones beat many mediocre ones. */
  readonly enoughFiles?: number;
  /** From this score on a file is highly relevant. */
  readonly highScore?: number;
}

export interface Retrieval {
  /** The best candidates of all cycles, the best first. */
  readonly files: readonly RetrievedFile[];
  /** Names that this code base uses for the task's subject. */
  readonly terms: readonly string[];
  readonly cycles: readonly RetrievalCycle[];
  readonly stopped: "enough" | "cycles" | "noNewTerms" | "noKeywords";
  /** Found, but not readable. */
  readonly unreadable: readonly string[];
}

export interface RetrievedFile extends FileScore {
  readonly isHigh: boolean;
  readonly terms: readonly string[];
  /** From 1. */
  readonly cycle: number;
}

export interface RetrievalCycle {
  readonly query: readonly string[];
  readonly candidates: number;
  /** Those that no earlier cycle had found. */
  readonly fresh: number;
  readonly highFiles: number;
}

const MAX_FILES = 10;
const TERMS_PER_FILE = 8;
const SHARED_TYPES = 3;
/** A task says what it is about at its beginning. Long ones often mention tests at their end. */
const OPENING_CHARACTERS = 120;
const ABOUT_TESTS = /\b(?:tests?|specs?|coverage)\b/i;

/** Dispatches, evaluates, refines, and repeats: the first search reveals the code base's own names, which improve the second. */
export async function retrieve(task: string, options: RetrieveOptions): Promise<Retrieval> {
  const { maxCycles = 3, maxCandidates = 10, enoughFiles = 3, highScore = 0.7 } = options;
  requireWhole(1, { maxCycles, maxCandidates, enoughFiles });
  if (!(highScore >= 0 && highScore <= 1)) throw new TypeError(`highScore is ${highScore}: use a number from 0 to 1`);
  const keywords = listTaskKeywords(task);
  const pool = createPool(options.search);
  const cycles: RetrievalCycle[] = [];
  const about = {
    keywords,
    named: listNamedFiles(task),
    isAboutTests: ABOUT_TESTS.test(task.slice(0, OPENING_CHARACTERS)),
  };
  let view = evaluate(pool, { ...about, discovered: [] }, highScore);
  let stopped: Retrieval["stopped"] = keywords.length === 0 ? "noKeywords" : "noNewTerms";
  while (cycles.length < maxCycles) {
    const query = planQuery({ ...about, discovered: view.terms, earlier: cycles.map((cycle) => cycle.query) });
    if (query === undefined) break;
    const added = await pool.add(await options.search.find(query, maxCandidates), cycles.length + 1);
    const searched = [...cycles.flatMap((cycle) => cycle.query), ...query];
    const discovered = [...new Set(searched)].filter((term) => !keywords.includes(term) && !about.named.includes(term));
    view = evaluate(pool, { ...about, discovered }, highScore);
    const highFiles = view.files.filter(({ isHigh }) => isHigh).length;
    cycles.push({ query, ...added, highFiles });
    stopped = highFiles >= enoughFiles ? "enough" : cycles.length === maxCycles ? "cycles" : stopped;
    if (stopped === "enough") break;
  }
  return { ...view, cycles, stopped, unreadable: pool.unreadable };
}

/** Every candidate of every cycle, each read once. */
function createPool(search: Search) {
  const files = new Map<string, { readonly profile: FileProfile; readonly cycle: number }>();
  const unreadable: string[] = [];
  const add = async (paths: readonly string[], cycle: number) => {
    const unique = [...new Set(paths)];
    const fresh = unique.filter((path) => !files.has(path) && !unreadable.includes(path));
    for (const path of fresh) {
      const text = await search.textOf(path);
      if (text === undefined) unreadable.push(path);
      else files.set(path, { profile: profileFile(path, text), cycle });
    }
    return { candidates: unique.length, fresh: fresh.length };
  };
  return { files, unreadable, add };
}

function evaluate(
  pool: ReturnType<typeof createPool>,
  task: ScoredTask,
  highScore: number,
): Pick<Retrieval, "files" | "terms"> {
  const profiles = [...pool.files.values()].map(({ profile }) => profile);
  const { keywords } = task;
  const files = scoreFiles(profiles, task)
    .filter(({ score }) => score > 0)
    .slice(0, MAX_FILES)
    .flatMap((scored) => {
      const pooled = pool.files.get(scored.path);
      if (pooled === undefined) return [];
      const terms = discoverTerms(pooled.profile, keywords);
      return [{ ...scored, isHigh: scored.score >= highScore, terms, cycle: pooled.cycle }];
    });
  const informative = files.filter(({ score }) => score >= (files[0]?.score ?? 0) / 2);
  const best = informative.flatMap(({ path }) => pool.files.get(path)?.profile ?? []);
  const [first = [], ...others] = informative.map(({ terms }) => terms);
  return { files, terms: interleave([first, discoverSharedTypes(best, keywords), ...others]) };
}

/** The first of each list, then the second of each, so that the best file leads without filling the list. */
function interleave(lists: readonly (readonly string[])[]): readonly string[] {
  const merged = new Set<string>();
  for (let index = 0; index < TERMS_PER_FILE; index++)
    for (const list of lists) {
      const term = list[index];
      if (term !== undefined) merged.add(term);
    }
  return [...merged];
}

const MAX_TERMS = 12;
const MAX_NEW_TERMS = 6;
const LEAST_LETTERS = 3;

interface QueryState extends Required<Pick<ScoredTask, "named" | "keywords" | "discovered">> {
  readonly earlier: readonly (readonly string[])[];
}

/**
 * What to search for in the next cycle, never the same twice: first the discovered names, then the words they came from; if nothing was
 * found, prefixes of the words that were tried. `undefined` if nothing is left to try.
 */
function planQuery({ keywords, named, discovered, earlier }: QueryState): readonly string[] | undefined {
  if (earlier.length === 0) return keywords.length === 0 ? undefined : [...named, ...keywords];
  const tried = new Set(earlier.flat());
  const fresh = discovered.filter((term) => !tried.has(term)).slice(0, MAX_NEW_TERMS);
  if (fresh.length > 0) return [...fresh, ...keywords].slice(0, MAX_TERMS);
  const shorter = keywords.map((keyword) => shorten(keyword, earlier.length)).filter((term) => !tried.has(term));
  return shorter.length === 0 ? undefined : [...new Set(shorter)];
}

/** A prefix of a word, shorter in each cycle: "authentication", "authent", "aut". */
function shorten(word: string, cycle: number): string {
  return word.slice(0, Math.max(LEAST_LETTERS, Math.ceil(word.length / 2 ** cycle)));
}

const LEAST_TERM_LETTERS = 5;
const MAX_LETTERS = 60;

/**
 * Names that this code base uses for the task's subject: of several words, one of them a keyword's. Defined and frequent names come
 * first. A name of the language has one word, so it does not count.
 */
function discoverTerms(file: FileProfile, keywords: readonly string[]): readonly string[] {
  const stems = new Set(keywords.flatMap(stemsOf));
  const known = new Set(keywords.map((keyword) => keyword.toLowerCase()));
  return [...file.names]
    .filter(
      ([name]) => name.length >= LEAST_TERM_LETTERS && name.length <= MAX_LETTERS && !known.has(name.toLowerCase()),
    )
    .map(([name, count]) => {
      const words = stemsOf(name);
      const shared = words.length < 2 ? 0 : words.filter((word) => stems.has(word)).length;
      return { name, worth: shared * (file.definitions.has(name) ? 2 : 1) * Math.log2(1 + count) };
    })
    .filter(({ worth }) => worth > 0)
    .sort((left, right) => right.worth - left.worth || (left.name < right.name ? -1 : 1))
    .slice(0, TERMS_PER_FILE)
    .map(({ name }) => name);
}

/** Built-in types that look like a project's. */
const BUILT_IN: ReadonlySet<string> = new Set(
  "RegExp TypeError RangeError SyntaxError ReadonlyMap ReadonlySet ReadonlyArray WeakMap WeakSet ArrayBuffer AsyncGenerator AsyncIterable AbortSignal AbortController TextEncoder TextDecoder NullPointerException RuntimeException IllegalArgumentException ValueError KeyError RuntimeError ArrayList HashMap HashSet".split(
    " ",
  ),
);
/** `BillDraft`, not `billDraft` and not `BILL_DRAFT`. */
const TYPE_NAME = /^\p{Lu}\p{Ll}[\p{L}\p{N}]*$/u;

/** Types that the best files share, whatever the task calls them: a person says invoice, the code says `BillDraft`. */
function discoverSharedTypes(files: readonly FileProfile[], keywords: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { names } of files) for (const name of names.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name, count]) => count > 1 && TYPE_NAME.test(name) && stemsOf(name).length > 1)
    .filter(([name]) => !BUILT_IN.has(name) && !keywords.includes(name))
    .sort(([left, most], [right, other]) => other - most || (left < right ? -1 : 1))
    .slice(0, SHARED_TYPES)
    .map(([name]) => name);
}
