import { hashText } from "../../core/hash.ts";
import type { JsonObject } from "../../core/json.ts";
import { renderCount } from "../../core/render-count.ts";
import { type Tokenizer, tokenizerOf } from "../../models/tokens.ts";
import { type AssembledPrompt, DYNAMIC_BOUNDARY } from "./assemble-prompt.ts";
import { hasBoundaryAtEnd } from "./place-breakpoints.ts";
import { estimatePieceTokens, listPieces } from "./request-pieces.ts";

/** One step of a prefix: two requests share everything up to the last step with the same `prefixHash`. */
export interface PrefixHash {
  readonly name: string;
  readonly isStatic: boolean;
  readonly hash: string;
  /** Hash of everything up to here. */
  readonly prefixHash: string;
  readonly tokens: number;
}

export interface RequestHashes {
  readonly staticPrefixHash: string;
  readonly staticTokens: number;
  readonly pieces: readonly PrefixHash[];
}

export interface StabilityReport {
  readonly requests: readonly RequestHashes[];
  readonly isStaticStable: boolean;
  readonly breaks: readonly PrefixBreak[];
  readonly tokensRewritten: number;
}

/** Compares each request with the one before it: what broke the prefix, and what that cost. The model only decides how tokens are counted. */
export function checkStability(
  requests: readonly PromptRequest[],
  { model = "" }: { readonly model?: string } = {},
): StabilityReport {
  const tokenizer = tokenizerOf(model);
  const prefixes = requests.map((request) => listPrefix(request, tokenizer));
  const hashed = prefixes.map(hashPrefix);
  const breaks = requests.flatMap((request, index) => {
    const [older, newer] = [prefixes[index - 1], prefixes[index]];
    // A conversation follows a prompt, so a prompt's end must stay where it is; a request's end may grow.
    const found = older && newer && findBreak(older, newer, { mayGrow: !isPrompt(request) });
    return found ? [{ request: index + 1, ...found }] : [];
  });
  return {
    requests: hashed,
    isStaticStable: new Set(hashed.map(({ staticPrefixHash }) => staticPrefixHash)).size <= 1,
    breaks,
    tokensRewritten: breaks.reduce((sum, { tokensRewritten }) => sum + tokensRewritten, 0),
  };
}

function hashPrefix(pieces: readonly PrefixPiece[]): RequestHashes {
  let prefixHash = hashText("");
  const hashes = pieces.map(({ name, role, text, isStatic, tokens }) => {
    const hash = hashText(JSON.stringify([role, text]));
    prefixHash = hashText(prefixHash + hash);
    return { name, isStatic, hash, prefixHash, tokens };
  });
  const fixed = hashes.filter(({ isStatic }) => isStatic);
  const staticPrefixHash = fixed.at(-1)?.prefixHash ?? hashText("");
  return { staticPrefixHash, staticTokens: sumTokens(fixed), pieces: hashes };
}

function sumTokens(pieces: readonly { readonly tokens: number }[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** A text for people: the static prefix first, then one line for every request that could not continue the one before. */
export function renderStability(report: StabilityReport): string {
  const [first] = report.requests;
  if (first === undefined) return "no requests";
  const requests = renderCount(report.requests.length, "request");
  const hashes = new Set(report.requests.map(({ staticPrefixHash }) => staticPrefixHash));
  const head = report.isStaticStable
    ? `static prefix ${first.staticPrefixHash} (${first.staticTokens} tokens) stable over ${requests}`
    : `static prefix CHANGED: ${hashes.size} versions over ${requests}`;
  const tail = report.breaks.length === 0 ? [] : [`${report.tokensRewritten} tokens rewritten in all`];
  return [head, ...report.breaks.map(renderBreak), ...tail].join("\n");
}

function renderBreak({ request, name, isStatic, change, at, before, after, tokensRewritten }: PrefixBreak): string {
  const place = isStatic ? "static" : "dynamic";
  const words =
    change === "changed"
      ? `at character ${at}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
      : `was ${change}: ${JSON.stringify(change === "added" ? after : before)}`;
  return `request ${request}: ${name} (${place}) broke the prefix ${words}; ${tokensRewritten} tokens rewritten`;
}

interface PrefixBreak {
  /** Number of the request that had to be written again, from 1. */
  readonly request: number;
  /** The section, tool or block that broke the prefix; with its nearest heading if it is one text with many sections. */
  readonly name: string;
  readonly isStatic: boolean;
  readonly change: "changed" | "added" | "removed";
  /** Position of the first different character in its piece. */
  readonly at: number;
  /** A short excerpt there; empty if there was nothing. */
  readonly before: string;
  readonly after: string;
  /** An estimate of what could have been read from the cache and was written again. */
  readonly tokensRewritten: number;
}

const QUOTED_CHARACTERS = 40;
const LEAD_CHARACTERS = 12;

/** `undefined` if the earlier request is a prefix of the later one. */
function findBreak(
  left: readonly PrefixPiece[],
  right: readonly PrefixPiece[],
  { mayGrow }: { readonly mayGrow: boolean },
): Omit<PrefixBreak, "request"> | undefined {
  let shared = 0;
  while (shared < left.length && isSame(left[shared], right[shared])) shared += 1;
  if (shared === left.length && (shared === right.length || mayGrow)) return undefined;
  const change = nameChange(left, right, shared);
  const before = change === "added" ? undefined : left[shared];
  const after = change === "removed" ? undefined : right[shared];
  const [oldText, newText] = [before?.text ?? "", after?.text ?? ""];
  const at = change === "changed" ? countShared(oldText, newText) : 0;
  const { name, text, isStatic } = after ?? before ?? { name: "", text: "", isStatic: false };
  return {
    name: nameBreak(name, text, at),
    isStatic,
    change,
    at,
    before: quote(oldText, at),
    after: quote(newText, at),
    tokensRewritten: countRewritten(left, right, shared),
  };
}

function isSame(left: PrefixPiece | undefined, right: PrefixPiece | undefined): boolean {
  return left !== undefined && left.text === right?.text && left.role === right.role;
}

function nameChange(left: readonly PrefixPiece[], right: readonly PrefixPiece[], at: number): PrefixBreak["change"] {
  if (at >= right.length || isSame(left[at + 1], right[at])) return "removed";
  return at >= left.length || isSame(left[at], right[at + 1]) ? "added" : "changed";
}

/** What was cached after the last breakpoint that still holds; never more than there is to write now. */
function countRewritten(left: readonly PrefixPiece[], right: readonly PrefixPiece[], at: number): number {
  const isMarked = left.some(({ isBreakpoint }) => isBreakpoint);
  const from = isMarked ? left.slice(0, at).findLastIndex(({ isBreakpoint }) => isBreakpoint) + 1 : at;
  return Math.min(sumTokens(left.slice(from)), sumTokens(right.slice(from)));
}

function countShared(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}

/** With the nearest heading, if it is one text with many sections. */
function nameBreak(name: string, text: string, at: number): string {
  if (!name.startsWith("system[")) return name;
  const end = text.indexOf("\n", at);
  const heading = text
    .slice(0, end < 0 ? text.length : end)
    .match(/^#{1,3} .{1,80}$/gm)
    ?.at(-1);
  return heading === undefined ? name : `${heading.replace(/^#+ /, "")} (${name})`;
}

/** Includes a few characters before the difference, so that the place can be found. */
function quote(text: string, at: number): string {
  const from = Math.max(0, at - LEAD_CHARACTERS);
  const words = text.slice(from, from + QUOTED_CHARACTERS).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 && words !== "" ? "…" : ""}${words}${from + QUOTED_CHARACTERS < text.length ? "…" : ""}`;
}

/** The beginning of one request: an assembled prompt, or the whole request as sent. */
type PromptRequest = AssembledPrompt | JsonObject;

interface PrefixPiece {
  readonly name: string;
  /** Compared too, because the same words from another speaker are another prefix. */
  readonly role: string;
  readonly text: string;
  readonly tokens: number;
  readonly isStatic: boolean;
  readonly isBreakpoint: boolean;
}

function isPrompt(request: PromptRequest): request is AssembledPrompt {
  return typeof request.staticHash === "string" && typeof request.staticText === "string";
}

/** Without a boundary line all tools and system blocks count as static, because nothing says otherwise. */
function listPrefix(request: PromptRequest, tokenizer: Tokenizer): readonly PrefixPiece[] {
  if (isPrompt(request)) return listSections(request, tokenizer);
  const pieces = listPieces(request);
  const boundary = pieces.findIndex(({ place, text }) => place === "system" && hasBoundaryAtEnd(text));
  return pieces.map(({ name, role, text, images, place, breakpoints }, at) => ({
    name,
    role: `${place} ${role}`,
    text,
    tokens: estimatePieceTokens({ text, images }, tokenizer),
    isStatic: place !== "messages" && (boundary < 0 || at <= boundary),
    isBreakpoint: breakpoints.length > 0,
  }));
}

function listSections({ sections }: AssembledPrompt, tokenizer: Tokenizer): readonly PrefixPiece[] {
  const toPiece = (name: string, text: string, isStatic: boolean): PrefixPiece => {
    const tokens = estimatePieceTokens({ text, images: 0 }, tokenizer);
    return { name, role: "", text, tokens, isStatic, isBreakpoint: text === DYNAMIC_BOUNDARY };
  };
  const pieces = sections.map(({ name, text, kind }) => toPiece(name, text, kind === "static"));
  return [
    ...pieces.filter(({ isStatic }) => isStatic),
    toPiece("boundary", DYNAMIC_BOUNDARY, true),
    ...pieces.filter(({ isStatic }) => !isStatic),
  ];
}
