import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { minimumCacheableTokens } from "../../models/find-model.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { listCandidates, type Purpose } from "./breakpoint-candidates.ts";
import type { CacheTtl } from "./render-system.ts";
import { estimatePieceTokens, listPieces, type PiecePlace, type RequestPiece } from "./request-pieces.ts";

export interface BreakpointOptions {
  /** The request's own unless given: minimum sizes differ. */
  readonly model?: string;
  readonly ttl?: CacheTtl;
  /** Up to the API's four; fewer where a client adds some of its own later. */
  readonly maxBreakpoints?: number;
  /** Instead of what the model's documentation says. */
  readonly minTokens?: number;
  /** How many system blocks are static, for a prompt that was sent without the boundary line. */
  readonly staticSystemBlocks?: number;
}

export interface Breakpoint {
  readonly purpose: Purpose;
  readonly place: PiecePlace;
  readonly index: number;
  readonly block: number;
  readonly ttl: CacheTtl;
  /** What a later request reads instead of paying for; an estimate. */
  readonly prefixTokens: number;
}

export interface BreakpointPlan {
  readonly placed: readonly Breakpoint[];
  /** The client's, all kept. More than four, and the API refuses the request whatever we do. */
  readonly own: number;
  readonly declined: readonly DeclinedBreakpoint[];
}

export interface DeclinedBreakpoint {
  readonly purpose: Purpose;
  /** `taken`: a breakpoint is there already. `noPlace`: the request has no such part. */
  readonly why: "tooSmall" | "noPlace" | "taken" | "noneLeft";
}

const MAX_BREAKPOINTS = 4;

/** Where breakpoints pay, most valuable first, within what the client's own leave of four. */
export function planBreakpoints(request: JsonObject, options: BreakpointOptions = {}): BreakpointPlan {
  const { ttl = "5m", maxBreakpoints = MAX_BREAKPOINTS } = checkOptions(options);
  const model = options.model ?? (typeof request.model === "string" ? request.model : "");
  const minTokens = options.minTokens ?? minimumCacheableTokens(model);
  const pieces = listPieces(request);
  const prefixTokens = sumPrefixes(pieces, model);
  // At the top of a request it asks for a breakpoint at its end, wherever that is.
  const automatic = isObject(request.cache_control) ? request.cache_control : undefined;
  const isAutomatic = automatic !== undefined;
  const wanted = automatic?.ttl === "1h" ? "1h" : ttl;
  const own = pieces.reduce((sum, { breakpoints }) => sum + breakpoints.length, isAutomatic ? 1 : 0);
  const placed = new Map<number, Breakpoint>();
  const declined: DeclinedBreakpoint[] = [];
  for (const { purpose, at } of listCandidates(pieces, options.staticSystemBlocks)) {
    const piece = at === undefined ? undefined : pieces[at];
    const tokens = at === undefined ? 0 : (prefixTokens[at] ?? 0);
    const isTaken = piece !== undefined && piece.breakpoints.length > 0;
    if (at === undefined || piece === undefined) declined.push({ purpose, why: "noPlace" });
    else if (isTaken || placed.has(at) || (purpose === "conversation" && isAutomatic))
      declined.push({ purpose, why: "taken" });
    else if (tokens < minTokens) declined.push({ purpose, why: "tooSmall" });
    else if (own + placed.size >= maxBreakpoints) declined.push({ purpose, why: "noneLeft" });
    else {
      const { place, index, block } = piece;
      placed.set(at, { purpose, place, index, block, ttl: chooseTtl(pieces, at, wanted), prefixTokens: tokens });
    }
  }
  return { placed: [...placed].sort(([left], [right]) => left - right).map(([, one]) => one), own, declined };
}

function sumPrefixes(pieces: readonly RequestPiece[], model: string): readonly number[] {
  const tokenizer = tokenizerOf(model);
  let sum = 0;
  return pieces.map((piece) => {
    sum += estimatePieceTokens(piece, tokenizer);
    return sum;
  });
}

/** The API wants those that live longer before those that live shorter; the client's own decide what that means here. */
function chooseTtl(pieces: readonly RequestPiece[], at: number, wanted: CacheTtl): CacheTtl {
  if (pieces.slice(at + 1).some(({ breakpoints }) => breakpoints.includes("1h"))) return "1h";
  return pieces.slice(0, at).some(({ breakpoints }) => breakpoints.includes("5m")) ? "5m" : wanted;
}

function checkOptions(options: BreakpointOptions): BreakpointOptions {
  const { ttl = "5m", maxBreakpoints = MAX_BREAKPOINTS, minTokens = 0, staticSystemBlocks = 0 } = options;
  if (ttl !== "5m" && ttl !== "1h") throw new TypeError(`ttl is "${String(ttl)}": use "5m" or "1h"`);
  if (!Number.isInteger(maxBreakpoints) || maxBreakpoints < 0 || maxBreakpoints > MAX_BREAKPOINTS)
    throw new TypeError(`maxBreakpoints is ${maxBreakpoints}: the API takes 0 to ${MAX_BREAKPOINTS}`);
  if (!(minTokens >= 0)) throw new TypeError(`minTokens is ${minTokens}: use 0 or more`);
  if (!Number.isInteger(staticSystemBlocks) || staticSystemBlocks < 0)
    throw new TypeError(`staticSystemBlocks is ${staticSystemBlocks}: count the system blocks that never change`);
  return options;
}
