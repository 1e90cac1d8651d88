/** One line of a search's output. */
export interface SearchRow {
  readonly path: string;
  /** Empty for a count and for a bare path. */
  readonly number: string;
  readonly text: string;
  readonly kind: "hit" | "context" | "count" | "path";
}

const MAX_PATH = 300;
const COLON = 58;
const DASH = 45;

/**
 * `path:12:text`, `path-12-text` around a hit, `12:text` in one file, `path:3` for counts, a bare path; `undefined` for
 * anything else. By hand: patterns that try every dash of a path took most of the time a search was folded in.
 */
export function parseSearchRow(line: string): SearchRow | undefined {
  const first = line.charCodeAt(0);
  if (first >= 48 && first <= 57) {
    const end = skipDigits(line, 0);
    const mark = line.charCodeAt(end);
    if (end < 8 && (mark === COLON || mark === DASH))
      return {
        path: "",
        number: line.slice(0, end),
        text: line.slice(end + 1),
        kind: mark === COLON ? "hit" : "context",
      };
  }
  return cutAt(line, ":") ?? cutAtDash(line) ?? parsePath(line);
}

function cutAt(line: string, mark: string): SearchRow | undefined {
  // `C:\path` has a colon of its own.
  const at = line.indexOf(mark, 2);
  if (at < 2 || at > MAX_PATH) return undefined;
  const end = skipDigits(line, at + 1);
  if (end === at + 1 || !isPath(line.slice(0, at))) return undefined;
  const [path, number] = [line.slice(0, at), line.slice(at + 1, end)];
  if (end === line.length) return { path, number: "", text: `${number} hits`, kind: "count" };
  return line[end] === mark ? { path, number, text: line.slice(end + 1), kind: "hit" } : undefined;
}

function cutAtDash(line: string): SearchRow | undefined {
  for (let at = line.indexOf("-", 1); at > 0 && at < MAX_PATH; at = line.indexOf("-", at + 1)) {
    const end = skipDigits(line, at + 1);
    if (end === at + 1 || line.charCodeAt(end) !== DASH) continue;
    const path = line.slice(0, at);
    // A dated name has dashes too: the number of a line follows a name that ends like a file's.
    if (isPath(path) && /[./][\w+]{1,16}$/.test(path))
      return { path, number: line.slice(at + 1, end), text: line.slice(end + 1), kind: "context" };
  }
  return undefined;
}

function parsePath(line: string): SearchRow | undefined {
  if (!isPath(line) || /[{}();=<>,]/.test(line)) return undefined;
  return { path: line, number: "", text: "", kind: "path" };
}

/** A letter and a slash or a dot, no space at its start, and not much like a sentence. */
function isPath(text: string): boolean {
  if (text.length > MAX_PATH || text.charCodeAt(0) <= 32) return false;
  if (!(text.includes("/") || text.includes(".")) || text.endsWith(".") || !/[A-Za-z]/.test(text)) return false;
  // Most paths have no space, and nothing without one is a sentence.
  return !(text.includes(" ") && /[:"'] | {2}|[.,] [A-Za-z]| \[/.test(text));
}

function skipDigits(line: string, from: number): number {
  let at = from;
  while (at < from + 8 && line.charCodeAt(at) >= 48 && line.charCodeAt(at) <= 57) at++;
  return at;
}
