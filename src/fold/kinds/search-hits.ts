import { renderCount } from "../../core/render-count.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { listPrograms } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { cutCommon, findCommonFolder, groupPaths } from "../path-groups.ts";

/** What `grep`, `rg` and search tools print: hits with file and line, context lines around them, bare files, counts. */
export const searchHitsKind: Kind = {
  name: "search hits",
  names: "words",
  middle: "trouble",
  recognise({ lines, isNumbered }, { tool = "", command = "" }) {
    if (isNumbered) return 0;
    const isSearch = /^(?:grep|search)/i.test(tool) || listPrograms(command).some((name) => SEARCHERS.has(name));
    const hits = shareOf(lines, { test: isHit }, isSearch ? 0.3 : 0.6);
    if (isSearch) return hits > 0 ? 0.95 : 0.25;
    return hits * 0.8;
  },
  outline({ lines, isPartial }, room) {
    const files = gatherFiles(lines);
    if (files.length === 0) return [];
    const folder = findCommonFolder(files.map(({ path }) => path));
    const hits = files.reduce((sum, file) => sum + file.hits.length, 0);
    const head = `${isPartial ? "at least " : ""}${hits} hits in ${renderCount(files.length, "file")}${folder ? ` under ${folder}` : ""}`;
    const isCrowded = files.length * ROOM_PER_FILE > room;
    return [
      { line: HEAD, text: head, weight: 100, cut: 240 },
      ...(isCrowded ? listFiles(files, folder) : []),
      ...files.flatMap((file) => excerptFile(file, folder, isCrowded)),
    ];
  },
};

function isHit(line: string): boolean {
  const kind = parseSearchRow(line)?.kind;
  return kind === "hit" || kind === "context";
}

/** A path and its first hit. With less room per file, all paths come first and the texts fill the rest. */
const ROOM_PER_FILE = 110;
/** More hits of one file never fit; a definition further down is still found by its name in the index. */
const MAX_HITS_PER_FILE = 80;
const MAX_DISTANCE = 24;
const SEARCHERS: ReadonlySet<string> = new Set(["grep", "rg", "ag", "ack", "egrep", "git grep", "fgrep"]);
const DEFINITION =
  /^\s*(?:export |default |pub |public |private |static |abstract |async |const |final )*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var)\s/;

type Row = Pick<SearchRow, "number" | "text"> & { readonly line: number };

interface File {
  readonly path: string;
  readonly hits: Row[];
  readonly context: Row[];
}

function gatherFiles(lines: readonly string[]): readonly File[] {
  const files = new Map<string, File>();
  for (const [line, whole] of lines.entries()) {
    const row = parseSearchRow(whole);
    if (!row) continue;
    const file = files.get(row.path) ?? { path: row.path, hits: [], context: [] };
    files.set(row.path, file);
    if (row.kind === "context") file.context.push({ line, number: row.number, text: row.text });
    else if (row.kind !== "path") file.hits.push({ line, number: row.number, text: row.text });
  }
  return [...files.values()];
}

/** Every path with its hit lines, folder by folder: the next call most likely names one of them. */
function listFiles(files: readonly File[], folder: string): readonly Excerpt[] {
  const numbersOf = new Map(files.map((file) => [cutCommon(file.path, folder), file.hits.map(({ number }) => number)]));
  return groupPaths(numbersOf.keys()).map(({ folder: inner, names }) => {
    const listed = names.map((name) => {
      const numbers = (numbersOf.get(inner + name) ?? []).filter((number) => number !== "");
      return numbers.length === 0 ? name : `${name}:${numbers.slice(0, 3).join(",")}${numbers.length > 3 ? "…" : ""}`;
    });
    return { line: HEAD, text: `${inner || "./"} ${listed.join(" ")}`, weight: 85, cut: 400 };
  });
}

function excerptFile({ path, hits, context }: File, folder: string, isCrowded: boolean): readonly Excerpt[] {
  const name = cutCommon(path, folder) || path;
  const rows = hits.slice(0, MAX_HITS_PER_FILE).map((row, rank) => ({
    line: row.line,
    text: renderRow(row, rank === 0 || isCrowded ? name : ""),
    weight: Math.max(22, (isCrowded ? 56 : 76) - rank * 5) + (DEFINITION.test(row.text) ? 8 : 0),
    isUnlabelled: true,
  }));
  if (hits.length === 0 && !isCrowded) rows.push({ line: HEAD, text: name, weight: 76, isUnlabelled: true });
  return [...rows, ...excerptContext(context, hits)];
}

/** Lines next to a hit, the nearest below it first: with `-A 40` they are what was asked for. */
function excerptContext(context: readonly Row[], hits: readonly Row[]): readonly Excerpt[] {
  let next = 0;
  return context.flatMap((row): readonly Excerpt[] => {
    while (next + 1 < hits.length && (hits[next + 1]?.line ?? 0) < row.line) next++;
    const distance = row.line - (hits[next]?.line ?? row.line);
    const isDefinition = DEFINITION.test(row.text);
    if ((Math.abs(distance) > MAX_DISTANCE && !isDefinition) || row.text.trim().length < 4) return [];
    const weight = Math.max(5, 40 - (distance > 0 ? distance : 10 - distance * 2)) + (isDefinition ? 10 : 0);
    return [{ line: row.line, text: renderRow(row, ""), weight, isUnlabelled: true }];
  });
}

function renderRow({ number, text }: Row, name: string): string {
  return `${name === "" ? "" : `${name}:`}${number === "" ? "" : `${number}:`} ${text.trim()}`;
}

interface SearchRow {
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
 * `path:12:text`, `path-12-text` around a hit, `12:text` in one file, `path:3` for counts, a bare path; `undefined` for anything else.
 * Parsed by hand: patterns that try every dash of a path took most of the folding time.
 */
export function parseSearchRow(line: string): SearchRow | undefined {
  const first = line.charCodeAt(0);
  if (first >= 48 && first <= 57) {
    const end = skipDigits(line, 0);
    const mark = line.charCodeAt(end);
    const kind = mark === COLON ? "hit" : "context";
    if (end < 8 && (mark === COLON || mark === DASH))
      return { path: "", number: line.slice(0, end), text: line.slice(end + 1), kind };
  }
  return cutAtColon(line) ?? cutAtDash(line) ?? parsePath(line);
}

function cutAtColon(line: string): SearchRow | undefined {
  // `C:\path` has a colon of its own.
  const at = line.indexOf(":", 2);
  if (at < 2 || at > MAX_PATH) return undefined;
  const end = skipDigits(line, at + 1);
  if (end === at + 1 || !isPath(line.slice(0, at))) return undefined;
  const [path, number] = [line.slice(0, at), line.slice(at + 1, end)];
  if (end === line.length) return { path, number: "", text: `${number} hits`, kind: "count" };
  return line.charCodeAt(end) === COLON ? { path, number, text: line.slice(end + 1), kind: "hit" } : undefined;
}

function cutAtDash(line: string): SearchRow | undefined {
  for (let at = line.indexOf("-", 1); at > 0 && at < MAX_PATH; at = line.indexOf("-", at + 1)) {
    const end = skipDigits(line, at + 1);
    if (end === at + 1 || line.charCodeAt(end) !== DASH) continue;
    const path = line.slice(0, at);
    // A dated name has dashes too; a line number follows a name that ends like a file's.
    if (isPath(path) && /[./][\w+]{1,16}$/.test(path))
      return { path, number: line.slice(at + 1, end), text: line.slice(end + 1), kind: "context" };
  }
  return undefined;
}

function parsePath(line: string): SearchRow | undefined {
  if (!isPath(line) || /[{}();=<>,]/.test(line)) return undefined;
  return { path: line, number: "", text: "", kind: "path" };
}

/** Contains a letter and a slash or dot, does not start with a space, and does not look like a sentence. */
function isPath(text: string): boolean {
  if (text.length > MAX_PATH || text.charCodeAt(0) <= 32) return false;
  if (!(text.includes("/") || text.includes(".")) || text.endsWith(".") || !/[A-Za-z]/.test(text)) return false;
  // Most paths have no space, and no sentence is without one.
  return !(text.includes(" ") && /[:"'] | {2}|[.,] [A-Za-z]| \[/.test(text));
}

function skipDigits(line: string, from: number): number {
  let at = from;
  while (at < from + 8 && line.charCodeAt(at) >= 48 && line.charCodeAt(at) <= 57) at++;
  return at;
}
