import { type Excerpt, HEAD } from "../excerpt.ts";
import { listPrograms } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { cutCommon, findCommonFolder, groupPaths } from "../path-groups.ts";

/** What `grep`, `rg` and search tools print: hits with file and line, context lines around them, bare files, counts. */
export const searchHitsKind: Kind = {
  name: "search hits",
  names: "words",
  recognise({ lines, isNumbered }, { tool = "", command = "" }) {
    if (isNumbered) return 0;
    const hits = shareOf(lines, HIT) + shareOf(lines, CONTEXT);
    const isSearch = /^(?:grep|search)/i.test(tool) || listPrograms(command).some((name) => SEARCHERS.has(name));
    if (isSearch) return hits > 0.3 || shareOf(lines, /^\d{1,7}[:-]/) > 0.5 ? 0.95 : 0.25;
    return hits > 0.6 ? hits * 0.8 : 0;
  },
  outline({ lines }, room) {
    const files = gatherFiles(lines);
    if (files.length === 0) return [];
    const folder = findCommonFolder(files.map(({ path }) => path));
    const hits = files.reduce((sum, file) => sum + file.hits.length, 0);
    const head = `${hits} hits in ${files.length} ${files.length === 1 ? "file" : "files"}${folder ? ` under ${folder}` : ""}`;
    const isCrowded = files.length * ROOM_PER_FILE > room;
    return [
      { line: HEAD, text: head, weight: 100, cut: 240 },
      ...(isCrowded ? listFiles(files, folder) : []),
      ...files.flatMap((file) => excerptFile(file, folder, isCrowded)),
    ];
  },
};

/** A path and the first hit in it; with less room than that per file, all paths come first and the texts fill what is left. */
const ROOM_PER_FILE = 110;
const SEARCHERS: ReadonlySet<string> = new Set(["grep", "rg", "ag", "ack", "egrep", "git grep", "fgrep"]);
/** A path has a letter in it: a time of day has none. */
const HIT = /^((?:[A-Za-z]:)?(?=[^\s:]{0,300}[A-Za-z])[^\s:]{1,300}):(\d{1,7}):(.*)$/;
const CONTEXT = /^((?=\S{0,300}[A-Za-z])(?=\S{0,300}[./])\S{1,300}?)-(\d{1,7})-(.*)$/;
const ONE_FILE = /^(\d{1,7})([:-])(.*)$/;
const COUNT = /^([^\s:][^:]{0,300}):(\d{1,7})$/;
const DEFINITION =
  /^\s*(?:export |default |pub |public |private |static |abstract |async |const |final )*(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|fun|const|let|var)\s/;

interface Row {
  readonly line: number;
  readonly number: string;
  readonly text: string;
}

interface File {
  readonly path: string;
  readonly hits: Row[];
  readonly context: Row[];
}

function gatherFiles(lines: readonly string[]): readonly File[] {
  const files = new Map<string, File>();
  const open = (path: string): File => {
    const known = files.get(path);
    if (known) return known;
    const file = { path, hits: [], context: [] };
    files.set(path, file);
    return file;
  };
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] ?? "";
    const hit = HIT.exec(text);
    if (hit) {
      open(hit[1] ?? "").hits.push({ line, number: hit[2] ?? "", text: hit[3] ?? "" });
      continue;
    }
    const one = ONE_FILE.exec(text);
    if (one) {
      const file = open("");
      (one[2] === ":" ? file.hits : file.context).push({ line, number: one[1] ?? "", text: one[3] ?? "" });
      continue;
    }
    const count = COUNT.exec(text);
    const context = count ? null : CONTEXT.exec(text);
    if (context) open(context[1] ?? "").context.push({ line, number: context[2] ?? "", text: context[3] ?? "" });
    else if (count) open(count[1] ?? "").hits.push({ line, number: "", text: `${count[2]} hits` });
    else if (isPath(text)) open(text);
  }
  return [...files.values()];
}

function isPath(text: string): boolean {
  return text.length < 300 && /^[^\s].*[/.]\S+$/.test(text) && !/[{}();=<>]/.test(text);
}

/** Every path, with the lines that were hit, folder by folder: what the next call is most likely to name. */
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
  const [first] = hits;
  const weigh = ({ text }: Row, rank: number): number =>
    Math.max(22, (isCrowded ? 56 : 76) - rank * 5) + (DEFINITION.test(text) ? 8 : 0);
  const rows = hits.map((row, rank) => ({
    line: row.line,
    text: renderRow(row, rank === 0 || isCrowded ? name : ""),
    weight: weigh(row, rank),
    isUnlabelled: true,
  }));
  if (first === undefined && !isCrowded) rows.push({ line: HEAD, text: name, weight: 76, isUnlabelled: true });
  return [...rows, ...excerptContext(context, hits)];
}

/** Lines next to a hit, the nearest below it first: with `-A 40` they are the very thing that was asked for. */
function excerptContext(context: readonly Row[], hits: readonly Row[]): readonly Excerpt[] {
  let next = 0;
  return context.map((row) => {
    while (next + 1 < hits.length && (hits[next + 1]?.line ?? 0) < row.line) next++;
    const distance = row.line - (hits[next]?.line ?? row.line);
    const weight =
      Math.max(5, 40 - (distance > 0 ? distance : 10 - distance * 2)) + (DEFINITION.test(row.text) ? 10 : 0);
    return {
      line: row.line,
      text: renderRow(row, ""),
      weight: row.text.trim().length < 4 ? 1 : weight,
      isUnlabelled: true,
    };
  });
}

function renderRow({ number, text }: Row, name: string): string {
  return [name, number === "" ? "" : number, ` ${text.trim()}`].filter((part) => part !== "").join(":");
}
