import { clipLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";

/** Nothing is counted in a longer output, because its end may be missing. */
const MAX_CHARACTERS = 24_000;
const MAX_FINDING_CHARACTERS = 140;
/** This share of an output's lines must match a form for it to be recognised. */
const LEAST_SHARE = 0.8;
/** Fewer hits are shown with their text. */
const LEAST_HITS = 4;

/**
 * The names and numbers that later steps ask for, from outputs of a known form: the files of a working tree, of a diff, or of a search with
 * their lines. Empty for any other output. What does not fit is counted.
 */
export function findFacts(output: string, room: number): string {
  if (output.length > MAX_CHARACTERS) return "";
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return redactSecrets(describeTree(lines, room) || describeStat(lines, room) || describePlaces(lines, room));
}

const SHORT = /^(?:(?! {3})[ MADRCUT?!]{2} \S|## \S)/;
const LONG =
  /^(?:\t|\s+\(|On branch |Your branch |HEAD detached |Changes |Untracked |Unmerged |no(?:thing)? |and have )/;

/** `git status`, short and long: each file by its status. */
function describeTree(lines: readonly string[], room: number): string {
  const branch = /^(?:On branch|##) (\S+)/.exec(lines[0] ?? "")?.[1];
  const isLong = branch !== undefined && lines.every((line) => LONG.test(line));
  if (!isLong && !lines.every((line) => SHORT.test(line))) return "";
  const states = new Map<string, string[]>();
  for (const line of lines) {
    const [, long = "untracked", short = long, path] =
      /^(?:\t(?:([a-z ]{4,24}): {2,})?|([ MADRCUT?!]{2}) )(\S.*)$/.exec(line) ?? [];
    if (path !== undefined) states.set(short.trim(), [...(states.get(short.trim()) ?? []), path]);
  }
  const listed = [...states].map(([state, paths]) => `${state} ${joinPaths(paths, room)}`).join("; ");
  return branch === undefined || listed === "" ? listed : `on ${branch}: ${listed}`;
}

/** `git diff --stat`: changed lines per file, below one sum. */
function describeStat(lines: readonly string[], room: number): string {
  const [total, another] = lines.filter((line) => /^ \d+ files? changed/.test(line));
  if (total === undefined || another !== undefined) return "";
  const files = lines.flatMap(
    (line) => /^ (\S.{0,300}?) {1,200}\| {1,9}(\d{1,9}|Bin)\b/.exec(line)?.slice(1).join(" ") ?? [],
  );
  return files.length === 0 ? "" : `${total.trim()}: ${joinPaths(files, room)}`;
}

const PLACE = /^((?:[A-Za-z]:)?[^\s:;(){}="'<>]{1,300})(?::(\d{1,7})[:-](?!\d{1,5}: ).*)?$/;
const AROUND = /^(?:--|Found \d+ files?|[^\s:]{1,300}-\d{1,7}-.*)$/;

/** A search over several files: each file with its lines, or only its name if the search was for files. */
function describePlaces(lines: readonly string[], room: number): string {
  const files = new Map<string, string[]>();
  let [rows, found, hits] = [0, 0, 0];
  for (const line of lines) {
    if (AROUND.test(line)) continue;
    // Most outputs are not a search, which their first lines show.
    if (rows++ - found > lines.length * (1 - LEAST_SHARE) + 1) return "";
    const [, path = "", number] = PLACE.exec(line.trim()) ?? [];
    if (!/[\\/]|\w\.\w/.test(path)) continue;
    files.set(path, [...(files.get(path) ?? []), ...(number === undefined ? [] : [number])]);
    found++;
    if (number !== undefined) hits++;
  }
  if (files.size < 2 || found < rows * LEAST_SHARE || (hits > 0 && hits < LEAST_HITS)) return "";
  const places = [...files].map(([path, numbers]) => (numbers.length === 0 ? path : `${path}:${numbers.join(",")}`));
  return `${hits === 0 ? "" : `${hits} hits: `}${joinPaths(places, room)}`;
}

const FOUND =
  /^\s{0,8}(?:(?:[\w@.-]{1,80}[\\/]){0,20}[\w@.-]{1,80}\.\w{1,8}(?::\d{1,7}(?::\d{1,5})?|\(\d{1,7}(?:,\d{1,5})?\)):?\s+\S|\d{1,7}:\d{1,5}\s+(?:error|warning)\s|--- FAIL: \S|[✗✘×●] |not ok \d|FAIL(?:ED)?:? +\S+[./:]\S)/;

/** What a linter, compiler or test runner found, line by line, each once: place and message, or the test. */
export function findFindings(output: string, room: number): string {
  const lines = output.slice(0, MAX_CHARACTERS).split("\n");
  const bare = lines.map((line) => line.replace(/^\[[\w:.-]{1,40}\] /, "").replace(/ \(?\d+(?:\.\d+)?m?s\)?$/, ""));
  const found = bare.filter((line) => FOUND.test(line)).map((line) => clipLine(line, MAX_FINDING_CHARACTERS));
  return redactSecrets(joinWithin([...new Set(found)], " | ", room));
}

/** Leaves out a folder shared with the previous path. */
function joinPaths(paths: readonly string[], room: number): string {
  let last = "";
  const names = paths.map((path) => {
    const folder = path.slice(0, path.search(/[^\\/]*$/));
    const name = folder === last ? path.slice(folder.length) : path;
    last = folder;
    return name;
  });
  return joinWithin(names, ", ", room);
}

function joinWithin(parts: readonly string[], separator: string, room: number): string {
  let text = "";
  for (const [at, part] of parts.entries()) {
    if (at > 0 && text.length + part.length > room) return `${text}${separator}… (${parts.length})`;
    text += at === 0 ? clipLine(part, room) : separator + part;
  }
  return text;
}
