import { isObject, type JsonObject, parseJson } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import { listElements } from "../request/set-members.ts";

/** One answer of the upstream, whole. */
export interface Round {
  /** Calls of `recall` among them. */
  readonly blocks: readonly RoundBlock[];
  readonly stopReason: string;
  readonly usage: JsonObject;
}

/** A content block or an item, in the API's own words: `raw` to look at, `bytes` to hand on. */
export interface RoundBlock {
  readonly raw: JsonObject;
  readonly bytes: Buffer;
}

/** The blocks of a whole answer with the bytes of each; `undefined` where they are not all objects. */
export function pairBlocks(list: unknown, bytes: Buffer | undefined): readonly RoundBlock[] | undefined {
  if (!Array.isArray(list) || !bytes) return undefined;
  const elements = listElements(bytes);
  const blocks = list.flatMap((raw: unknown, index) => {
    const own = elements[index];
    return isObject(raw) && own ? [{ raw, bytes: own }] : [];
  });
  return blocks.length === list.length && elements.length === list.length ? blocks : undefined;
}

/** How the answer to the client ends: what is not said here the upstream's last answer says, in its own bytes. */
export interface Ending {
  /** Of all requests together, where there were several. */
  readonly usage?: JsonObject;
  /** Where the upstream ended with a call that the client does not see. */
  readonly stopReason?: string;
}

/** A call of `recall` as the model made it. */
export interface AskedBack {
  readonly callId: string;
  readonly input: JsonObject;
  /** So many blocks of the same answer that are no such calls stand before it. */
  readonly at: number;
}

/** What is asked back in a round. Nothing where the answer broke off in the middle of a call. */
export function listAsked({ blocks, stopReason }: Round, tool: string): readonly AskedBack[] {
  if (stopReason !== "tool_use") return [];
  const asked: AskedBack[] = [];
  let at = 0;
  for (const block of blocks) {
    if (!isAsked(block, tool)) at++;
    else {
      const [callId, input] = [callIdOf(block.raw), inputOf(block.raw)];
      if (callId !== "" && input) asked.push({ callId, input, at });
    }
  }
  return asked;
}

/** What the client sees of it. */
export function listShown({ blocks }: Round, tool: string): readonly RoundBlock[] {
  return blocks.filter((block) => !isAsked(block, tool));
}

export function isAsked({ raw }: Pick<RoundBlock, "raw">, tool: string): boolean {
  return isCall(raw) && raw.name === tool;
}

/** Calls that the client has to answer, in the words of either API. */
const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "function_call", "custom_tool_call", "local_shell_call"]);

export function isCall({ type }: JsonObject): boolean {
  return CALLS.has(type);
}

/** Empty where it has none. */
export function callIdOf({ call_id, id }: JsonObject): string {
  if (typeof call_id === "string") return call_id;
  return typeof id === "string" ? id : "";
}

function inputOf(block: JsonObject): JsonObject | undefined {
  if (isObject(block.input)) return block.input;
  const told = typeof block.arguments === "string" ? parseJson(block.arguments) : undefined;
  return isObject(told) ? told : undefined;
}

/** The client has calls of its own to answer first. */
export function hasOwnCall(round: Round, tool: string): boolean {
  return listShown(round, tool).some(({ raw }) => isCall(raw));
}

/** What several requests have cost together: numbers are added, whatever their names are, the newest word for the rest. */
export function addRoundUsage(one: JsonObject, other: JsonObject): JsonObject {
  const sum: Record<string, JsonObject[string]> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = one[key];
    if (typeof value === "number" && typeof before === "number") sum[key] = before + value;
    else if (isObject(value) && isObject(before)) sum[key] = addRoundUsage(before, value);
    else if (value !== null || before === undefined) sum[key] = value;
  }
  return sum;
}

/** What one answer says of its usage at its beginning and at its end: what the end leaves out, or at nothing, the beginning has said. */
export function mergeUsage(start: JsonObject, end: JsonObject): JsonObject {
  return { ...start, ...Object.fromEntries(Object.entries(end).filter(([key, value]) => value || !start[key])) };
}

/**
 * An answer in which the model fetched something back, as the model gave it. The client was shown one message without the calls:
 * this says where they stood, so that they stand there again in every later request.
 */
export interface RecalledAnswer {
  readonly kind: "recalled";
  /** The model's answers before it, as `identify-session.ts` chains them: nothing else in a conversation has that place. */
  readonly behind: string;
  /** One for each request upstream. All but the last end with calls that were answered here. */
  readonly rounds: readonly RecalledRound[];
}

export interface RecalledRound {
  /** What the client was shown of it, in order. */
  readonly shown: readonly ShownBlock[];
  readonly calls: readonly RecalledCall[];
}

export interface ShownBlock {
  readonly hash: string;
  /** Some clients send no thinking back, and no blank text. */
  readonly mayBeAbsent: boolean;
}

export interface RecalledCall {
  /** So many shown blocks stand before it. */
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly parts: readonly ResultPart[];
  readonly isError: boolean;
  /** What it gave back or named, by hash: where one of these has not left a request, the call is not put back into it. */
  readonly needs?: readonly string[];
}
