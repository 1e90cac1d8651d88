import { isObject, type JsonObject, parseJson, textField } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";
import { listElements } from "../request/set-members.ts";

/** The stop reason of an answer that ends without a call. */
export const PLAIN_STOP = "end_turn";

export interface Round {
  readonly blocks: readonly RoundBlock[];
  readonly stopReason: string;
  readonly usage: JsonObject;
}

/** A content block or an item in the API's own format: `raw` to inspect, `bytes` to pass on. */
export interface RoundBlock {
  readonly raw: JsonObject;
  readonly bytes: Buffer;
}

/** The blocks of a whole answer with the bytes of each; `undefined` if not all of them are objects. */
export function pairBlocks(list: unknown, bytes: Buffer | undefined): readonly RoundBlock[] | undefined {
  if (!Array.isArray(list) || !bytes) return undefined;
  const elements = listElements(bytes);
  const blocks = list.flatMap((raw: unknown, index) => {
    const own = elements[index];
    return isObject(raw) && own ? [{ raw, bytes: own }] : [];
  });
  return blocks.length === list.length && elements.length === list.length ? blocks : undefined;
}

/** How the answer to the client ends. Fields that are not set are taken from the upstream's last answer, in its own bytes. */
export interface Ending {
  /** The sum over all requests, if there were several. */
  readonly usage?: JsonObject;
  /** Set if the upstream ended with a call that the client does not see. */
  readonly stopReason?: string;
}

export interface AskedBack {
  readonly callId: string;
  readonly input: JsonObject;
  /** Number of other blocks of the same answer before it. */
  readonly at: number;
}

/** The `recall` calls of a round. Empty if the answer broke off in the middle of a call. */
export function listAsked({ blocks, stopReason }: Round, tool: string): readonly AskedBack[] {
  if (stopReason !== "tool_use") return [];
  const asked: AskedBack[] = [];
  let at = 0;
  for (const block of blocks) {
    if (!isAsked(block, tool)) at++;
    else {
      const callId = callIdOf(block.raw);
      if (callId !== "") asked.push({ callId, input: inputOf(block.raw), at });
    }
  }
  return asked;
}

export function listShown({ blocks }: Round, tool: string): readonly RoundBlock[] {
  return blocks.filter((block) => !isAsked(block, tool));
}

export function isAsked({ raw }: Pick<RoundBlock, "raw">, tool: string): boolean {
  return isCall(raw) && raw.name === tool;
}

/** Types of calls that the client has to answer, in either API. */
const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "function_call", "custom_tool_call", "local_shell_call"]);

export function isCall({ type }: JsonObject): boolean {
  return CALLS.has(type);
}

export function callIdOf({ call_id, id }: JsonObject): string {
  return [call_id, id].find((name) => typeof name === "string") ?? "";
}

/** Without an object, the model is told what a call needs. */
function inputOf(block: JsonObject): JsonObject {
  const given = isObject(block.input) ? block.input : parseJson(textField(block, "arguments"));
  return isObject(given) ? given : {};
}

export function hasOwnCall(round: Round, tool: string): boolean {
  return listShown(round, tool).some(({ raw }) => isCall(raw));
}

/** The usage of several requests together: numbers are added, for everything else the newest value counts. */
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

/** Merges the usage given at an answer's start and end: what the end leaves out, or at zero, is taken from the start. */
export function mergeUsage(start: JsonObject, end: JsonObject): JsonObject {
  return { ...start, ...Object.fromEntries(Object.entries(end).filter(([key, value]) => value || !start[key])) };
}

/** An answer in which the model fetched something back, and where its calls were: the client was shown one message without them. */
export interface RecalledAnswer {
  readonly kind: "recalled";
  /** The chain of the model's answers before it (`identify-session.ts`), which is unique in a conversation. */
  readonly behind: string;
  /** One per upstream request. All but the last end with calls that were answered here. */
  readonly rounds: readonly RecalledRound[];
}

export interface RecalledRound {
  readonly shown: readonly ShownBlock[];
  readonly calls: readonly RecalledCall[];
}

export interface ShownBlock {
  readonly hash: string;
  /** Some clients do not send thinking or blank text back. */
  readonly mayBeAbsent: boolean;
}

export interface RecalledCall {
  /** Number of shown blocks before it. */
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly parts: readonly ResultPart[];
  readonly isError: boolean;
  /** Hashes of what it gave back or named. If one of them was not removed from a request, the call is not put back into it. */
  readonly needs?: readonly string[];
}
