import { expandBraces } from "./expand-braces.ts";
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
