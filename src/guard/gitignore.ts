import { findMatchEnds, isWildMatch, parseWild, type Wild } from "./wildmatch.ts";

/** A line of an ignore file, without comments and blank lines. */
export interface IgnoreRule {
  /** The line as written, without the trailing spaces that git ignores. */
  readonly line: string;
  /** From 1. */
  readonly lineNumber: number;
  readonly isNegated: boolean;
  readonly isDirectoryOnly: boolean;
  /** A pattern without a slash is compared with the name alone, at every depth. */
  readonly isNameOnly: boolean;
  readonly wild: Wild;
}

export interface IgnoreMatch {
  readonly rule: IgnoreRule;
  /** The path itself, or the parent directory that is excluded with everything in it. */
  readonly excluded: string;
}

/** No system opens a longer path; anything beyond this length is ignored. */
const MAX_PATH_CHARACTERS = 4096;

export function parseIgnoreRules(text: string): readonly IgnoreRule[] {
  const lines = (text.startsWith("\uFEFF") ? text.slice(1) : text).split("\n");
  return lines.flatMap((line, index) => parseIgnoreLine(line.endsWith("\r") ? line.slice(0, -1) : line, index + 1));
}

function parseIgnoreLine(raw: string, lineNumber: number): readonly IgnoreRule[] {
  const line = trimTrailingSpaces(raw);
  if (line.startsWith("#")) return [];
  const isNegated = line.startsWith("!");
  const named = isNegated ? line.slice(1) : line;
  const isDirectoryOnly = named.endsWith("/");
  const pattern = isDirectoryOnly ? named.slice(0, -1) : named;
  const isNameOnly = !pattern.includes("/");
  const wild = parseWild(pattern.startsWith("/") ? pattern.slice(1) : pattern);
  if (pattern === "" || wild === undefined) return [];
  return [{ line, lineNumber, isNegated, isDirectoryOnly, isNameOnly, wild }];
}

/** Git keeps trailing spaces only after a backslash, and always keeps tabs. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes++;
  return line.slice(0, end < line.length && backslashes % 2 === 1 ? end + 1 : end);
}

/** `path` is relative to the file's folder, without `.` and `..`. The last match decides; nothing inside an excluded directory comes back. */
export function findIgnored(
  rules: readonly IgnoreRule[],
  path: string,
  { isDirectory }: { readonly isDirectory: boolean },
): IgnoreMatch | undefined {
  const whole = path.slice(0, MAX_PATH_CHARACTERS);
  const isMatchedBy = rules.map((rule) => createMatcher(rule, whole));
  for (let from = 0, end = 0; end < whole.length; from = end + 1) {
    const slash = whole.indexOf("/", from);
    end = slash < 0 ? whole.length : slash;
    const isFolder = slash >= 0 || isDirectory || path.length > whole.length;
    const index = rules.findLastIndex(
      (rule, at) => (isFolder || !rule.isDirectoryOnly) && isMatchedBy[at]?.(from, end) === true,
    );
    const rule = rules[index];
    if (rule !== undefined && !rule.isNegated) return { rule, excluded: whole.slice(0, end) };
  }
  return undefined;
}

function createMatcher({ wild, isNameOnly }: IgnoreRule, path: string): (from: number, end: number) => boolean {
  if (isNameOnly) return (from, end) => isWildMatch(wild, path.slice(from, end));
  let ends: ReadonlySet<number> | undefined;
  return (_from, end) => {
    ends ??= new Set(findMatchEnds(wild, path));
    return ends.has(end);
  };
}
