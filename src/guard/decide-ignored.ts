import { clipText } from "../core/clip-text.ts";
import type { JsonObject } from "../core/json.ts";
import { listCommandReads } from "./command-paths.ts";
import { findIgnored, type IgnoreMatch, type IgnoreRule, parseIgnoreRules } from "./gitignore.ts";
import { isBroadGlob, isEverything, listGlobTargets } from "./glob-targets.ts";
import { guessHome, type ResolvedPlace, relativeToRoot, resolvePath } from "./resolve-path.ts";

/** Directories that are heavy and rarely worth a look. With the slash: a file named `build` is none of them. */
export const DEFAULT_IGNORE_LINES: readonly string[] = [
  ...["node_modules/", "dist/", "build/", ".next/", ".nuxt/", "__pycache__/"],
  ...[".venv/", "venv/", "vendor/", "target/", ".git/", "coverage/"],
];

/** A tool call that is about to be made. */
export interface IgnoreQuestion {
  readonly tool: string;
  readonly input: JsonObject;
}

export interface IgnoreRulesText {
  /** The person's ignore file, in gitignore's syntax. It goes on after the default lines, so `!dist` brings one back. */
  readonly text: string;
  /** There is no such file, and every line is ours. */
  readonly isDefault: boolean;
}

export type IgnoreDecision = { readonly isBlocked: false } | { readonly isBlocked: true; readonly reason: string };

const PASS: IgnoreDecision = { isBlocked: false };
const SHOWN_CHARACTERS = 160;

/** What a call would put into the window, seen from the root. */
interface Subject {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Whether a call would read what is ignored. Every doubt lets it pass; no input makes it throw. */
export function decideIgnored(call: IgnoreQuestion, rules: IgnoreRulesText, place: ResolvedPlace): IgnoreDecision {
  const broad = findBroadGlob(call, place);
  if (broad !== undefined) return { isBlocked: true, reason: renderBroad(broad) };
  const subjects = listSubjects(call, place);
  if (subjects.length === 0) return PASS;
  const parsed = parseIgnoreRules([...DEFAULT_IGNORE_LINES, rules.text.replace(/^\uFEFF/, "")].join("\n"));
  for (const { path, isDirectory } of subjects) {
    for (const target of listGlobTargets(path, parsed)) {
      const match = findIgnored(parsed, target, { isDirectory });
      if (match === undefined) continue;
      const isFolder = isDirectory || match.excluded !== target;
      return { isBlocked: true, reason: renderIgnored(path, match, { isFolder, isDefault: rules.isDefault }) };
    }
  }
  return PASS;
}

function listSubjects({ tool, input }: IgnoreQuestion, place: ResolvedPlace): readonly Subject[] {
  switch (tool) {
    case "Read":
      return locate(textOf(input, "file_path"), place, { isDirectory: false });
    case "NotebookRead":
      return locate(textOf(input, "notebook_path"), place, { isDirectory: false });
    case "Glob":
      return locateGlobs(input, [textOf(input, "pattern")], place);
    case "Grep":
      return locateGlobs(input, splitGlobs(textOf(input, "glob")), place);
    case "Bash":
      return listCommandReads(textOf(input, "command"), place).reads.flatMap(({ path, isTree }) =>
        locate(path, place, { isDirectory: isTree }),
      );
    default:
      return [];
  }
}

function textOf(input: JsonObject, key: string): string {
  const value = input[key];
  return typeof value === "string" ? value : "";
}

/** Nothing for an empty path, the root itself, and whatever is outside it or cannot be known. */
function locate(
  path: string,
  place: ResolvedPlace,
  { isDirectory }: { readonly isDirectory: boolean },
): readonly Subject[] {
  const base = place.directory === "" ? place.root : place.directory;
  const resolved = path === "" ? undefined : resolvePath(path, { directory: base, home: guessHome(place) });
  const seen = resolved === undefined ? undefined : relativeToRoot(resolved, place.root);
  return seen === undefined || seen === "" ? [] : [{ path: seen, isDirectory }];
}

/** The folder that is searched, and the patterns from there. */
function locateGlobs(input: JsonObject, patterns: readonly string[], place: ResolvedPlace): readonly Subject[] {
  const folder = textOf(input, "path") || ".";
  const directory = resolvePath(folder, { directory: place.directory || place.root, home: guessHome(place) });
  if (directory === undefined) return [];
  const found = patterns.flatMap((pattern) => locate(pattern, { root: place.root, directory }, { isDirectory: false }));
  return [...locate(folder, place, { isDirectory: true }), ...found];
}

/** Several globs in one text, parted by blanks or commas outside braces; `!` leaves out, and so reads nothing. */
function splitGlobs(text: string): readonly string[] {
  const globs = text.match(/(?:[^\s,{]|\{[^}]*\}?)+/g) ?? [];
  return globs.filter((glob) => !glob.startsWith("!"));
}

/** A pattern over the whole project. `Grep` leaves ignored folders out by itself, unless a glob names everything. */
function findBroadGlob({ tool, input }: IgnoreQuestion, place: ResolvedPlace): string | undefined {
  if (tool !== "Glob" && tool !== "Grep") return undefined;
  const patterns = tool === "Glob" ? [textOf(input, "pattern")] : splitGlobs(textOf(input, "glob"));
  return patterns.find((pattern) => {
    const seen = locateGlobs(input, [pattern], place).find(({ isDirectory }) => !isDirectory);
    return seen !== undefined && (tool === "Glob" ? isBroadGlob(seen.path) : isEverything(seen.path));
  });
}

function renderBroad(pattern: string): string {
  return `${shorten(pattern)} goes through the whole project, ignored folders included. Narrow it to a folder, for example src/${shorten(pattern)}`;
}

function renderIgnored(
  path: string,
  { rule, excluded }: IgnoreMatch,
  { isFolder, isDefault }: { readonly isFolder: boolean; readonly isDefault: boolean },
): string {
  const ownLine = rule.lineNumber - DEFAULT_IGNORE_LINES.length;
  const source = isDefault || ownLine <= 0 ? "a default" : `line ${ownLine} of the ignore file`;
  const allow = renderAllowingLine(rule, excluded, { isFolder });
  return `${shorten(path)} is ignored by \`${shorten(rule.line)}\` (${source}). To allow it, add the line \`${shorten(allow)}\` to .plimsollignore`;
}

/** The line that brings back what is excluded: the directory itself, because nothing inside it can come back alone. */
function renderAllowingLine(rule: IgnoreRule, excluded: string, { isFolder }: { readonly isFolder: boolean }): string {
  if (/[*?[\\\s]/.test(excluded)) return `!${rule.line}`;
  return `!/${excluded}${isFolder ? "/" : ""}`;
}

/** On one line, whatever was in it. */
function shorten(text: string): string {
  return clipText(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), SHOWN_CHARACTERS);
}
