import { isObject, type Json, type JsonObject, listField, objectField, textField } from "../../core/json.ts";
import { findModel } from "../../models/find-model.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import { type CacheTtl, DYNAMIC_BOUNDARY, renderControl } from "./assemble-prompt.ts";
import { estimatePieceTokens, listPieces, type PiecePlace, type RequestPiece, toBlocks } from "./request-pieces.ts";

export interface PlacedBreakpoints<Request extends object = JsonObject> extends BreakpointPlan {
  /** The identical object if nothing was placed. */
  readonly request: Request;
}

/** Places breakpoints in a request, at most four with the client's own. Any SDK's request type fits. */
export function placeBreakpoints<Request extends object>(
  request: Request,
  options?: BreakpointOptions,
): PlacedBreakpoints<Request>;
export function placeBreakpoints(request: object, options: BreakpointOptions = {}): PlacedBreakpoints<object> {
  if (!isObject(request))
    throw new TypeError("request must be what you would send: { model, system, tools, messages }");
  const plan = planBreakpoints(request, options);
  return { ...plan, request: plan.placed.reduce(applyBreakpoint, request) };
}

function applyBreakpoint(request: JsonObject, breakpoint: Breakpoint): JsonObject {
  const { place, index, block, ttl } = breakpoint;
  const mark = (value: Json): Json =>
    isObject(value) ? { ...value, cache_control: { ...renderControl(ttl) } } : value;
  if (place === "tools") return { ...request, tools: replaceAt(listField(request, "tools"), index, mark) };
  if (place === "system") return { ...request, system: replaceAt(toBlocks(request.system), index, mark) };
  const messages = replaceAt(listField(request, "messages"), index, (message) =>
    isObject(message) ? { ...message, content: replaceAt(toBlocks(message.content), block, mark) } : message,
  );
  return { ...request, messages };
}

function replaceAt(list: readonly Json[], at: number, change: (value: Json) => Json): readonly Json[] {
  return list.map((value, index) => (index === at ? change(value) : value));
}

interface BreakpointOptions {
  /** Default: the request's own. Minimum sizes differ by model. */
  readonly model?: string;
  readonly ttl?: CacheTtl;
  /** At most the API's four; fewer if a client adds some of its own later. */
  readonly maxBreakpoints?: number;
  /** Overrides the minimum from the model's documentation. */
  readonly minTokens?: number;
  /** How many system blocks are static, for a prompt sent without the boundary line. */
  readonly staticSystemBlocks?: number;
}

interface Breakpoint extends Pick<RequestPiece, "place" | "index" | "block"> {
  readonly purpose: Purpose;
  readonly ttl: CacheTtl;
  /** An estimate of what a later request reads from the cache. */
  readonly prefixTokens: number;
}

interface BreakpointPlan {
  readonly placed: readonly Breakpoint[];
  /** The client's own breakpoints, all kept. With more than four the API refuses the request anyway. */
  readonly own: number;
  readonly declined: readonly DeclinedBreakpoint[];
}

interface DeclinedBreakpoint {
  readonly purpose: Purpose;
  /** `taken`: a breakpoint is there already. `noPlace`: the request has no such part. */
  readonly why: "tooSmall" | "noPlace" | "taken" | "noneLeft";
}

const MAX_BREAKPOINTS = 4;

/** Where breakpoints pay, most valuable first, within what the client's own leave of four. */
function planBreakpoints(request: JsonObject, options: BreakpointOptions): BreakpointPlan {
  checkOptions(options);
  const { ttl = "5m", maxBreakpoints = MAX_BREAKPOINTS } = options;
  const model = options.model ?? textField(request, "model");
  const minTokens = options.minTokens ?? findModel(model).minCacheTokens;
  const pieces = listPieces(request);
  const prefixTokens = sumPrefixes(pieces, model);
  // At the top of a request, it asks for a breakpoint at the request's end.
  const automatic = objectField(request, "cache_control");
  const isAutomatic = automatic !== undefined;
  const wanted = automatic?.ttl === "1h" ? "1h" : ttl;
  const own = pieces.reduce((sum, { breakpoints }) => sum + breakpoints.length, isAutomatic ? 1 : 0);
  const placed = new Map<number, Breakpoint>();
  const declined: DeclinedBreakpoint[] = [];
  for (const { purpose, at } of listCandidates(pieces, options.staticSystemBlocks)) {
    const piece = pieces[at];
    const tokens = prefixTokens[at] ?? 0;
    if (piece === undefined) declined.push({ purpose, why: "noPlace" });
    else if (piece.breakpoints.length > 0 || placed.has(at) || (purpose === "conversation" && isAutomatic))
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

/** The API requires longer lifetimes before shorter ones, so the client's own breakpoints limit the choice. */
function chooseTtl(pieces: readonly RequestPiece[], at: number, wanted: CacheTtl): CacheTtl {
  if (pieces.slice(at + 1).some(({ breakpoints }) => breakpoints.includes("1h"))) return "1h";
  return pieces.slice(0, at).some(({ breakpoints }) => breakpoints.includes("5m")) ? "5m" : wanted;
}

function checkOptions(options: BreakpointOptions): void {
  const { ttl = "5m", maxBreakpoints = MAX_BREAKPOINTS, minTokens = 0, staticSystemBlocks = 0 } = options;
  if (ttl !== "5m" && ttl !== "1h") throw new TypeError(`ttl is "${String(ttl)}": use "5m" or "1h"`);
  if (!Number.isInteger(maxBreakpoints) || maxBreakpoints < 0 || maxBreakpoints > MAX_BREAKPOINTS)
    throw new TypeError(`maxBreakpoints is ${maxBreakpoints}: the API takes 0 to ${MAX_BREAKPOINTS}`);
  if (!(minTokens >= 0)) throw new TypeError(`minTokens is ${minTokens}: use 0 or more`);
  if (!Number.isInteger(staticSystemBlocks) || staticSystemBlocks < 0)
    throw new TypeError(`staticSystemBlocks is ${staticSystemBlocks}: count the system blocks that never change`);
}

/**
 * What a breakpoint is for. `conversation`: the end of the last message, read by the next request. `static`: what all sessions share.
 * `system`: what outlives a compaction. `tools`: what outlives another system prompt. `sliding`: where the previous request ended.
 */
type Purpose = "conversation" | "static" | "sliding" | "system" | "tools";

interface Candidate {
  readonly purpose: Purpose;
  /** Index of the piece; -1 if the request has no such part. */
  readonly at: number;
}

/** How many blocks before a breakpoint the API searches for an older entry. */
const LOOKBACK_BLOCKS = 20;

/** Most valuable first. The sliding one comes early only if the last request added more blocks than the API looks back over. */
function listCandidates(pieces: readonly RequestPiece[], staticSystemBlocks: number | undefined): readonly Candidate[] {
  const conversation = findEnd(pieces, "messages", pieces.length);
  const sliding = findPreviousEnd(pieces);
  const isFar = sliding >= 0 && conversation - sliding >= LOOKBACK_BLOCKS;
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

/** The last piece of a place before `end` that can carry a breakpoint; -1 if there is none. */
function findEnd(pieces: readonly RequestPiece[], place: PiecePlace, end: number): number {
  return pieces.slice(0, end).findLastIndex((piece) => piece.place === place && piece.canCarry);
}

/** A boundary inside a block is useless, because caching works only up to the end of a block. */
function findStaticEnd(pieces: readonly RequestPiece[], staticSystemBlocks: number | undefined): number {
  const last = pieces.findIndex(({ place, index, text }) => {
    if (place !== "system") return false;
    return staticSystemBlocks === undefined ? hasBoundaryAtEnd(text) : index === staticSystemBlocks - 1;
  });
  return findEnd(pieces, "system", last + 1);
}

export function hasBoundaryAtEnd(text: string): boolean {
  return text.trimEnd().endsWith(DYNAMIC_BOUNDARY);
}

/** The previous request ended just before the model's last answer. */
function findPreviousEnd(pieces: readonly RequestPiece[]): number {
  const lastUser = findRole(pieces, "user", pieces.length);
  const answer = findRole(pieces, "assistant", lastUser);
  const before = findRole(pieces, "user", answer);
  return findEnd(pieces, "messages", before + 1);
}

function findRole(pieces: readonly RequestPiece[], role: string, end: number): number {
  return pieces.slice(0, Math.max(0, end)).findLastIndex((piece) => piece.place === "messages" && piece.role === role);
}
