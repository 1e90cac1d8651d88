import { clipText } from "../core/clip-text.ts";
import { type JsonObject, textField } from "../core/json.ts";
import { listCommandReads } from "./command-reads.ts";
import { findIgnored, type IgnoreMatch, type IgnoreRule, parseIgnoreRules } from "./gitignore.ts";
import { guessHome, type ResolvedPlace, relativeToRoot, resolvePath } from "./resolve-path.ts";
import { countFixed, isWildMatch, parseWild } from "./wildmatch.ts";

/** Large directories that are rarely worth reading. The slash keeps a file named `build` out of the list. */
export const DEFAULT_IGNORE_LINES: readonly string[] = [
  ...["node_modules/", "dist/", "build/", ".next/", ".nuxt/", "__pycache__/"],
  ...[".venv/", "venv/", "vendor/", "target/", ".git/", "coverage/"],
];

interface Call {
  readonly tool: string;
  readonly input: JsonObject;
}

export interface IgnoreRulesText {
  /** The user's ignore file, in gitignore syntax. It is applied after the default lines, so `!dist` brings one of them back. */
  readonly text: string;
  /** The user has no ignore file, so every line is one of our defaults. */
  readonly isDefault: boolean;
}

const SHOWN_CHARACTERS = 160;

/** A path that a call would put into the window, relative to the root. */
interface Subject {
  readonly path: string;
  readonly isDirectory: boolean;
}

/** Why a call that would read something ignored is refused. When in doubt it passes: `undefined`. No input makes this throw. */
export function decideIgnored(call: Call, rules: IgnoreRulesText, place: ResolvedPlace): string | undefined {
  const broad = findBroadGlob(call, place);
  if (broad !== undefined) return renderBroad(broad);
  const subjects = listSubjects(call, place);
  if (subjects.length === 0) return undefined;
  const parsed = parseIgnoreRules([...DEFAULT_IGNORE_LINES, rules.text.replace(/^\uFEFF/, "")].join("\n"));
  for (const { path, isDirectory } of subjects) {
    for (const target of listGlobTargets(path, parsed)) {
      const match = findIgnored(parsed, target, { isDirectory });
      if (match === undefined) continue;
      const isFolder = isDirectory || match.excluded !== target;
      return renderIgnored(path, match, { isFolder, isDefault: rules.isDefault });
    }
  }
  return undefined;
}

function listSubjects({ tool, input }: Call, place: ResolvedPlace): readonly Subject[] {
  switch (tool) {
    case "Read":
      return locate(textField(input, "file_path"), place, { isDirectory: false });
    case "NotebookRead":
      return locate(textField(input, "notebook_path"), place, { isDirectory: false });
    case "Glob":
      return locateGlobs(input, [textField(input, "pattern")], place);
    case "Grep":
      return locateGlobs(input, splitGlobs(textField(input, "glob")), place);
    case "Bash":
      return listCommandReads(textField(input, "command"), place).flatMap(({ path, isTree }) =>
        locate(path, place, { isDirectory: isTree }),
      );
    default:
      return [];
  }
}

/** Returns nothing for an empty path, for the root itself, and for a path that is outside it or unknown. */
function locate(path: string, place: ResolvedPlace, { isDirectory }: Pick<Subject, "isDirectory">): readonly Subject[] {
  const base = place.directory === "" ? place.root : place.directory;
  const resolved = path === "" ? undefined : resolvePath(path, { directory: base, home: guessHome(place) });
  const seen = resolved === undefined ? undefined : relativeToRoot(resolved, place.root);
  return seen === undefined || seen === "" ? [] : [{ path: seen, isDirectory }];
}

function locateGlobs(input: JsonObject, patterns: readonly string[], place: ResolvedPlace): readonly Subject[] {
  const folder = textField(input, "path") || ".";
  const directory = resolvePath(folder, { directory: place.directory || place.root, home: guessHome(place) });
  if (directory === undefined) return [];
  const found = patterns.flatMap((pattern) => locate(pattern, { root: place.root, directory }, { isDirectory: false }));
  return [...locate(folder, place, { isDirectory: true }), ...found];
}

/** Splits a text of several globs at blanks or commas outside braces. A glob with `!` excludes, so it reads nothing. */
function splitGlobs(text: string): readonly string[] {
  const globs = text.match(/(?:[^\s,{]|\{[^}]*\}?)+/g) ?? [];
  return globs.filter((glob) => !glob.startsWith("!"));
}

/** Finds a pattern over the whole project. `Grep` skips ignored folders by itself, unless a glob matches everything. */
function findBroadGlob({ tool, input }: Call, place: ResolvedPlace): string | undefined {
  if (tool !== "Glob" && tool !== "Grep") return undefined;
  const patterns = tool === "Glob" ? [textField(input, "pattern")] : splitGlobs(textField(input, "glob"));
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

/** The line that un-ignores a path. It names the excluded directory itself, because gitignore cannot bring back one file inside it. */
function renderAllowingLine(rule: IgnoreRule, excluded: string, { isFolder }: { readonly isFolder: boolean }): string {
  if (/[*?[\\\s]/.test(excluded)) return `!${rule.line}`;
  return `!/${excluded}${isFolder ? "/" : ""}`;
}

function shorten(text: string): string {
  return clipText(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "), SHOWN_CHARACTERS);
}

const GLOB = /[*?[]/;

/**
 * Paths that a glob may match, the glob itself included: each alternative of `{a,b}`, a `**` that matches nothing, and, for a partly
 * spelt name (`node_mod*`), the ignored names that it matches. A bare `*` adds nothing.
 */
function listGlobTargets(path: string, rules: readonly IgnoreRule[]): readonly string[] {
  const names = GLOB.test(path) ? listNames(rules) : [];
  return expandBraces(path).flatMap((spelt) => {
    if (!GLOB.test(spelt)) return [spelt];
    const short = spelt.split("/").filter((segment) => segment !== "**");
    return [spelt, short.join("/"), ...nameSegments(short, names)];
  });
}

function listNames(rules: readonly IgnoreRule[]): readonly string[] {
  const names = rules.flatMap(({ wild, isNegated }) => (isNegated || typeof wild !== "string" ? [] : wild.split("/")));
  return [...new Set(names)];
}

function nameSegments(segments: readonly string[], names: readonly string[]): readonly string[] {
  return segments.flatMap((segment, at) => {
    const wild = GLOB.test(segment) ? parseWild(segment) : undefined;
    if (wild === undefined) return [];
    const fixed = countFixed(wild);
    const meant = names.filter((name) => fixed >= Math.min(3, Math.ceil(name.length / 2)) && isWildMatch(wild, name));
    return meant.map((name) => [...segments.slice(0, at), name, ...segments.slice(at + 1)].join("/"));
  });
}

/** Matches every file of a kind anywhere: `**`, `*.ts`, `**` followed by `*.ts`. The path is relative to the root. */
function isBroadGlob(path: string): boolean {
  return expandBraces(path).some((spelt) => {
    const segments = spelt.split("/");
    const last = segments.pop() ?? "";
    const isDeep = segments.length === 0 || last === "**" || segments.includes("**");
    return isDeep && segments.every(isOpen) && (isOpen(last) || /^\*\.(?:\*|\w*)$|^\.\*$/.test(last));
  });
}

/** Matches every file and folder, so even those that a search would skip by itself. */
function isEverything(path: string): boolean {
  return path.split("/").every(isOpen);
}

function isOpen(segment: string): boolean {
  return segment === "*" || segment === "**";
}

const MAX_RESULTS = 64;
/** No system opens a longer path, so longer ones are not parsed. */
const MAX_CHARACTERS = 4096;

/** Expands `{a,b}/c` to `a/c` and `b/c`, nested groups too. Returns at most 64; the rest is dropped. */
function expandBraces(text: string): readonly string[] {
  if (!text.includes("{") || text.length > MAX_CHARACTERS) return [text];
  const results: string[] = [];
  const waiting = [text];
  for (let steps = 0; waiting.length > 0 && results.length < MAX_RESULTS; steps++) {
    const next = waiting.pop() ?? "";
    const group = steps < MAX_RESULTS * 4 ? findGroup(next) : undefined;
    if (group === undefined) results.push(next);
    else {
      const { open, close } = group;
      const parts = next.slice(open + 1, close).split(",");
      for (const part of parts.reverse()) waiting.push(next.slice(0, open) + part + next.slice(close + 1));
    }
  }
  return results;
}

/** Finds the group that closes first, which therefore holds no other group. */
function findGroup(text: string): { readonly open: number; readonly close: number } | undefined {
  const opened: { readonly open: number; hasComma: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = opened.at(-1);
    if (text[at] === "{") opened.push({ open: at, hasComma: false });
    else if (text[at] === "," && last !== undefined) last.hasComma = true;
    else if (text[at] === "}" && opened.pop()?.hasComma === true && last !== undefined)
      return { open: last.open, close: at };
  }
  return undefined;
}
