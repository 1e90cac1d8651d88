import type { IgnoreRule } from "./gitignore.ts";
import { countFixed, isWildMatch, parseWild } from "./wildmatch.ts";

const GLOB = /[*?[]/;

/**
 * Paths that a path with globs may stand for, itself among them: each alternative of a `{a,b}`, a `**` that stands for
 * nothing, and, for a name that is partly spelt out (`node_mod*`), the ignored names it fits. A bare `*` names nothing.
 */
export function listGlobTargets(path: string, rules: readonly IgnoreRule[]): readonly string[] {
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

/** Everything of a kind, wherever it is: `**`, `*.ts`, `**` with `*.ts` behind it. Given as seen from the root. */
export function isBroadGlob(path: string): boolean {
  return expandBraces(path).some((spelt) => {
    const segments = spelt.split("/");
    const last = segments.pop() ?? "";
    const isDeep = segments.length === 0 || last === "**" || segments.includes("**");
    return isDeep && segments.every(isOpen) && (isOpen(last) || /^\*\.(?:\*|\w*)$|^\.\*$/.test(last));
  });
}

/** Every file and folder, so that even those which a search would leave out by itself are gone through. */
export function isEverything(path: string): boolean {
  return path.split("/").every(isOpen);
}

function isOpen(segment: string): boolean {
  return segment === "*" || segment === "**";
}

const MAX_RESULTS = 64;
/** A path longer than any system opens is not taken apart. */
const MAX_CHARACTERS = 4096;

/** `{a,b}/c` as `a/c` and `b/c`, nested ones as well; at most 64, the rest is left out. */
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

/** The group that is closed first, so that there is none inside it. */
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
