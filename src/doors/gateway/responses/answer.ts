import type { JsonObject } from "../../../core/json.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { PLAIN_STOP } from "../answer-compaction.ts";
import { isParsedObject, parseJson } from "../parse-json.ts";
import { isCall, pairBlocks, type Round, type RoundBlock } from "../recall/round.ts";
import { findMember, renderList, renderValue, setMembers } from "../request/set-members.ts";
import type { ToldAnswer } from "../wire.ts";

/** A `response` object with its output. One that failed, or is not over, is no answer. */
export function parseResponse(answer: Buffer): Round | undefined {
  const response = parseJson(answer.toString("utf8"));
  if (!isParsedObject(response)) return undefined;
  const { output, status, usage } = response;
  if (status !== "completed" && status !== "incomplete") return undefined;
  const blocks = pairBlocks(output, findMember(answer, "output"));
  return blocks && { blocks, stopReason: decideStop(blocks, status), usage: isParsedObject(usage) ? usage : {} };
}

/** This API does not say why an answer ended: it ended with calls, with words, or before its end. */
export function decideStop(items: readonly RoundBlock[], status: string): string {
  if (status !== "completed") return status;
  return items.some(({ raw }) => isCall(raw)) ? "tool_use" : PLAIN_STOP;
}

export function renderResponse(response: Buffer, { first, shown, usage }: ToldAnswer): Buffer {
  const values = { id: findMember(first, "id"), output: renderList(shown), usage: usage && renderValue(usage) };
  return setMembers(response, values);
}

/** In the middle of a stream this is how the API itself tells what went wrong. */
export function renderResponseFailure(words: string, told: JsonObject | undefined): JsonObject {
  const error = told && isRecord(told.error) ? told.error : {};
  const message = typeof error.message === "string" ? error.message : words;
  const code = typeof error.code === "string" ? error.code : "server_error";
  return { type: "response.failed", response: { status: "failed", error: { code, message } } };
}
