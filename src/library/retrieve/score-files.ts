import type { FileProfile } from "./file-profile.ts";
import { stemsOf } from "./task-keywords.ts";

export interface FileScore {
  readonly path: string;
  /** 0 to 1. */
  readonly score: number;
  /** The terms it contains, the heaviest first, each with its evidence. */
  readonly hits: readonly TermHit[];
}

export interface TermHit {
  readonly term: string;
  readonly count: number;
  readonly isInName: boolean;
  readonly isInFolder: boolean;
  readonly isDefined: boolean;
}

/** The most that each kind of evidence can add. */
const BODY = 0.4;
const NAME = 0.45;
const FOLDER = 0.2;
const DEFINITION = 0.45;
/** So many occurrences give half of what occurrences can add. */
const HALF_COUNT = 2;
/**
 * A file that covers this share of the task's weight gets the full score, because no file covers everything. All words of a task in the
 * text alone give 0.67, one of two words with all evidence gives 0.68: neither makes a file highly relevant.
 */
const FULL_COVERAGE = 0.6;
/** How much discovered terms can add to what the task's own words left open. */
const DISCOVERED = 0.4;
const BEST_DISCOVERED = 3;

export interface ScoredTask {
  readonly keywords: readonly string[];
  readonly discovered: readonly string[];
  readonly named?: readonly string[];
  readonly isAboutTests?: boolean;
}

const NAMED = 0.8;
/** A test contains every word of what it tests. It ranks behind its source and is never highly relevant, unless the task asks for tests. */
const TEST_SHARE = 0.69;
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]+$|Tests?\.\w+$/;

/** Scores files against one another: a term that all of them have says little (idf). docs/research/features.md has the formula in words. */
export function scoreFiles(
  files: readonly FileProfile[],
  { keywords, discovered, named = [], isAboutTests = false }: ScoredTask,
): readonly FileScore[] {
  const weights = weighTerms(files, keywords);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return files
    .map((file) => {
      const hits = [...listHits(file, keywords, findHit), ...listHits(file, discovered, findLooseHit)];
      const evidence = new Map(hits.map((hit) => [hit.term, weighHit(hit, file)]));
      const covered = keywords.reduce((sum, term) => sum + (weights.get(term) ?? 0) * (evidence.get(term) ?? 0), 0);
      const own = total === 0 ? 0 : Math.min(1, covered / total / FULL_COVERAGE);
      const best = discovered.map((term) => evidence.get(term) ?? 0).sort((left, right) => right - left);
      const found = best.slice(0, BEST_DISCOVERED).reduce((sum, value) => sum + value, 0) / BEST_DISCOVERED;
      const combined = 1 - (1 - own) * (1 - DISCOVERED * found);
      const isNamed = named.some((name) => `/${file.path}`.endsWith(`/${name}`) || name.endsWith(`/${file.path}`));
      const isSource = isNamed || isAboutTests || !TEST_PATH.test(file.path);
      const score = isNamed ? 1 - (1 - combined) * (1 - NAMED) : isSource ? combined : combined * TEST_SHARE;
      return { path: file.path, score: Math.round(score * 100) / 100, hits };
    })
    .sort((left, right) => right.score - left.score || (left.path < right.path ? -1 : 1));
}

/** Smoothed idf. A keyword that no file has counts as much as the commonest one: it is missing, but may be only a figure of speech. */
function weighTerms(files: readonly FileProfile[], terms: readonly string[]): ReadonlyMap<string, number> {
  const counts = terms.map((term) => files.filter((file) => listHits(file, [term], findHit).length > 0).length);
  return new Map(
    terms.map((term, index) => [term, 1 + Math.log((files.length + 1) / ((counts[index] || files.length) + 1))]),
  );
}

/** Noisy or: each kind of evidence removes a share of the remaining doubt. */
function weighHit({ count, isInName, isInFolder, isDefined }: TermHit, { breadth }: FileProfile): number {
  const body = count / (count + HALF_COUNT * breadth);
  const place = isInName ? NAME : isInFolder ? FOLDER : 0;
  return 1 - (1 - BODY * body) * (1 - place) * (1 - (isDefined ? DEFINITION / breadth : 0));
}

function listHits(file: FileProfile, terms: readonly string[], find: typeof findHit): readonly TermHit[] {
  return terms
    .map((term) => find(file, term))
    .filter(({ count, isInName, isInFolder }) => count > 0 || isInName || isInFolder)
    .sort((left, right) => weighHit(right, file) - weighHit(left, file));
}

/** A prefix, searched for if the whole word was not found, matches every word that begins with it. */
function findLooseHit(file: FileProfile, term: string): TermHit {
  if (stemsOf(term).length > 1) return findHit(file, term);
  const begins = (words: Iterable<string>): readonly string[] => [...words].filter((word) => word.startsWith(term));
  return {
    term,
    count: begins(file.words.keys()).reduce((sum, word) => sum + (file.words.get(word) ?? 0), 0),
    isInName: begins(file.nameWords).length > 0,
    isInFolder: begins(file.folderWords).length > 0,
    isDefined: begins(file.definedWords).length > 0,
  };
}

/** A term of one word is compared by its stem; a full name as it is, or by all its words in a path. */
function findHit(file: FileProfile, term: string): TermHit {
  const stems = stemsOf(term);
  const isName = stems.length > 1;
  const isAmong = (words: ReadonlySet<string>): boolean => stems.length > 0 && stems.every((stem) => words.has(stem));
  const [stem = term] = stems;
  return {
    term,
    count: (isName ? file.names.get(term) : file.words.get(stem)) ?? 0,
    isInName: isAmong(file.nameWords),
    isInFolder: isAmong(file.folderWords),
    isDefined: isName ? file.definitions.has(term) : file.definedWords.has(stem),
  };
}
