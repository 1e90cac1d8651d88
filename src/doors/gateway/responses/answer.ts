import type { JsonObject } from "../../../core/json.ts";
import { isJsonObject, isRecord } from "../../../wire/is-json.ts";
import { PLAIN_STOP } from "../answer-compaction.ts";
import { isCall, type Round } from "../recall/round.ts";
import type { ToldAnswer } from "../wire.ts";

/** A `response` object with its output. One that failed, or is not over, is no answer. */
export function parseResponse({ output, status, usage }: JsonObject): Round | undefined {
  if (!Array.isArray(output) || (status !== "completed" && status !== "incomplete")) return undefined;
  const blocks = output.filter(isJsonObject);
  if (blocks.length !== output.length) return undefined;
  return { blocks, stopReason: decideStop(blocks, status), usage: isJsonObject(usage) ? usage : {} };
}

/** This API does not say why an answer ended: it ended with calls, with words, or before its end. */
export function decideStop(items: readonly JsonObject[], status: string): string {
  if (status !== "completed") return status;
  return items.some(isCall) ? "tool_use" : PLAIN_STOP;
}

export function renderResponse(response: JsonObject, { first, shown, usage }: ToldAnswer): JsonObject {
  return { ...response, id: first.id ?? null, output: shown, usage };
}

/** In the middle of a stream this is how the API itself tells what went wrong. */
export function renderResponseFailure(status: number, told: JsonObject | undefined): JsonObject {
  const error = told && isRecord(told.error) ? told.error : {};
  const message = typeof error.message === "string" ? error.message : `the upstream answered ${status}`;
  const code = typeof error.code === "string" ? error.code : "server_error";
  return { type: "response.failed", response: { status: "failed", error: { code, message } } };
}
