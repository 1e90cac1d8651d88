import type { PiecePlace, RequestPiece } from "./request-pieces.ts";
import { DYNAMIC_BOUNDARY } from "./section.ts";

/**
 * What a breakpoint is for. `conversation`: the end of the last message, read by the next request. `static`: what all sessions
 * share. `system`: what outlives a compaction. `tools`: what outlives another system prompt. `sliding`: where the request
 * before this one ended.
 */
export type Purpose = "conversation" | "static" | "sliding" | "system" | "tools";

export interface Candidate {
  readonly purpose: Purpose;
  /** Among the pieces; absent where the request has no such part. */
  readonly at: number | undefined;
}

/** How many blocks before a breakpoint the API looks for an older entry. */
const LOOKBACK_BLOCKS = 20;

/** In the order of their worth. The sliding one comes early only where the last request added more than is looked back over. */
export function listCandidates(
  pieces: readonly RequestPiece[],
  staticSystemBlocks: number | undefined,
): readonly Candidate[] {
  const conversation = findEnd(pieces, "messages", pieces.length);
  const sliding = findPreviousEnd(pieces);
  const isFar = conversation !== undefined && sliding !== undefined && conversation - sliding >= LOOKBACK_BLOCKS;
  const slide: Candidate = { purpose: "sliding", at: sliding };
  return [
    { purpose: "conversation", at: conversation },
    { purpose: "static", at: findStaticEnd(pieces, staticSystemBlocks) },
    ...(isFar ? [slide] : []),
    { purpose: "system", at: findEnd(pieces, "system", pieces.length) },
    { purpose: "tools", at: findEnd(pieces, "tools", pieces.length) },
    ...(isFar ? [] : [slide]),
  ];
}

/** The last piece of a place before `end` that takes a breakpoint. */
function findEnd(pieces: readonly RequestPiece[], place: PiecePlace, end: number): number | undefined {
  const at = pieces.slice(0, end).findLastIndex((piece) => piece.place === place && piece.canCarry);
  return at < 0 ? undefined : at;
}

/** A boundary inside a block is of no use: nothing is cached up to the middle of one. */
function findStaticEnd(pieces: readonly RequestPiece[], staticSystemBlocks: number | undefined): number | undefined {
  const last = pieces.findIndex(({ place, index, text }) => {
    if (place !== "system") return false;
    return staticSystemBlocks === undefined ? hasBoundaryAtEnd(text) : index === staticSystemBlocks - 1;
  });
  return last < 0 ? undefined : findEnd(pieces, "system", last + 1);
}

export function hasBoundaryAtEnd(text: string): boolean {
  return text.trimEnd().endsWith(DYNAMIC_BOUNDARY);
}

/** The request before this one ended with the last words that the model answered. */
function findPreviousEnd(pieces: readonly RequestPiece[]): number | undefined {
  const lastUser = findRole(pieces, "user", pieces.length);
  const answer = findRole(pieces, "assistant", lastUser);
  const before = findRole(pieces, "user", answer);
  return before < 0 ? undefined : findEnd(pieces, "messages", before + 1);
}

function findRole(pieces: readonly RequestPiece[], role: string, end: number): number {
  return pieces.slice(0, Math.max(0, end)).findLastIndex((piece) => piece.place === "messages" && piece.role === role);
}
