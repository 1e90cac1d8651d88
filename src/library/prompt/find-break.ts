import type { Tokenizer } from "../../models/tokens.ts";
import type { PrefixPiece, PrefixPieces } from "./prefix-pieces.ts";
import { estimatePieceTokens } from "./request-pieces.ts";

/** Where one request stops being a continuation of the request before. */
export interface PrefixBreak {
  /** Counted from 1: the request that had to be written again. */
  readonly request: number;
  /** The section, tool or block that broke the prefix; with its nearest heading where it is one text of many sections. */
  readonly name: string;
  readonly isStatic: boolean;
  readonly change: "changed" | "added" | "removed";
  /** The first character that differs, in its piece. */
  readonly at: number;
  /** The words there, short; empty where there were none. */
  readonly before: string;
  readonly after: string;
  /** What could have been read from the cache and was written again: an estimate. */
  readonly tokensRewritten: number;
}

const QUOTED_CHARACTERS = 40;
const LEAD_CHARACTERS = 12;

/** `undefined` where the earlier request is a prefix of the later one. */
export function findBreak(
  older: PrefixPieces,
  newer: PrefixPieces,
  { request, tokenizer }: { readonly request: number; readonly tokenizer: Tokenizer },
): PrefixBreak | undefined {
  const [left, right] = [older.pieces, newer.pieces];
  let at = 0;
  while (at < left.length && at < right.length && isSame(left[at], right[at])) at += 1;
  if (at === left.length && (at === right.length || newer.mayGrow)) return undefined;
  const change = nameChange(left, right, at);
  const piece = change === "removed" ? left[at] : right[at];
  const [before, after] = [change === "added" ? "" : textAt(left, at), change === "removed" ? "" : textAt(right, at)];
  const character = change === "changed" ? countShared(before, after) : 0;
  const heading = findHeading(piece?.text ?? "", character);
  return {
    request,
    name: nameBreak(piece?.name ?? "", heading),
    isStatic: piece?.isStatic ?? false,
    change,
    at: character,
    before: quote(before, character),
    after: quote(after, character),
    tokensRewritten: countRewritten(left, right, { at, tokenizer }),
  };
}

function isSame(left: PrefixPiece | undefined, right: PrefixPiece | undefined): boolean {
  return left !== undefined && left.text === right?.text && left.role === right.role;
}

function nameChange(left: readonly PrefixPiece[], right: readonly PrefixPiece[], at: number): PrefixBreak["change"] {
  if (at >= right.length || isSame(left[at + 1], right[at])) return "removed";
  return at >= left.length || isSame(left[at], right[at + 1]) ? "added" : "changed";
}

/** What was cached after the last breakpoint that still holds; never more than there is now to be written. */
function countRewritten(
  left: readonly PrefixPiece[],
  right: readonly PrefixPiece[],
  { at, tokenizer }: { readonly at: number; readonly tokenizer: Tokenizer },
): number {
  const isMarked = left.some(({ isBreakpoint }) => isBreakpoint);
  const from = isMarked ? left.slice(0, at).findLastIndex(({ isBreakpoint }) => isBreakpoint) + 1 : at;
  const sum = (pieces: readonly PrefixPiece[]): number =>
    pieces.slice(from).reduce((total, piece) => total + estimatePieceTokens(piece, tokenizer), 0);
  return Math.min(sum(left), sum(right));
}

function textAt(pieces: readonly PrefixPiece[], at: number): string {
  return pieces[at]?.text ?? "";
}

function countShared(left: string, right: string): number {
  let at = 0;
  while (at < left.length && at < right.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}

function findHeading(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  const headings = text.slice(0, end < 0 ? text.length : end).match(/^#{1,3} .{1,80}$/gm) ?? [];
  return (headings.at(-1) ?? "").replace(/^#+ /, "");
}

function nameBreak(name: string, heading: string): string {
  if (!name.startsWith("system[") || heading === "") return name;
  return `${heading} (${name})`;
}

/** A few characters before the difference too: without them nobody finds the place. */
function quote(text: string, at: number): string {
  const from = Math.max(0, at - LEAD_CHARACTERS);
  const words = text.slice(from, from + QUOTED_CHARACTERS).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 && words !== "" ? "…" : ""}${words}${from + QUOTED_CHARACTERS < text.length ? "…" : ""}`;
}
