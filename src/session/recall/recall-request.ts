import type { JsonObject } from "../../core/json.ts";
import { createHandles, findCall } from "../compaction/call-handle.ts";
import type { CallNote } from "../compaction/trail.ts";
import { type PageWish, pageText } from "./page-text.ts";

/** What a model asks back: under which handle, and which part of it. */
export interface RecallRequest {
  readonly handle: string;
  readonly wish: PageWish;
}

/** The tool `recall` as a model sees it, the same at every door: short, because it stands in every request. */
export const RECALL_DESCRIPTION =
  "Get back, word for word, a tool result that was folded or left the conversation, by its handle (plimsoll:…, with #line, or call:…). One page at a time; lines [from, to] or pattern for a part.";

export const RECALL_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    handle: { type: "string" },
    page: { type: "integer" },
    lines: { type: "array", items: { type: "integer" } },
    pattern: { type: "string" },
  },
  required: ["handle"],
};

/** What has another shape than asked for is passed over: a page is better than a complaint. */
export function parseRecall(input: JsonObject): RecallRequest {
  const { handle, page, lines, pattern } = input;
  const [from, to] = Array.isArray(lines) ? lines : [];
  return {
    handle: typeof handle === "string" ? handle.trim() : "",
    wish: {
      page: typeof page === "number" ? page : undefined,
      lines: typeof from === "number" && typeof to === "number" ? [from, to] : undefined,
      pattern: typeof pattern === "string" ? pattern : undefined,
    },
  };
}

/** The wanted page, headed by one line that says what it is of; in words what to do where there is nothing. */
export function renderRecalled({ handle, wish }: RecallRequest, text: string | undefined): string {
  if (text === undefined)
    return `Nothing is kept under "${handle}". Handles look like plimsoll:1a2b3c4d5e6f or call:abc123 and stand at the end of a folded result or of a line of the record.`;
  const found = pageText(text, wish);
  // The client trims results: a line before and one after keep every blank of the page between them.
  return `[${handle}: ${found.note}]\n${found.text}\n[end]`;
}

/** `call:a..call:b`, as the record writes where it had no room: the calls in between, a line each. */
export function listStretch(calls: readonly CallNote[], handle: string): string | undefined {
  const [first, last] = handle.split("..").map((end) => findCall(calls, end));
  if (!first || !last) return undefined;
  const name = createHandles(calls);
  const ends = [calls.indexOf(first), calls.indexOf(last)];
  const between = calls.slice(Math.min(...ends), Math.max(...ends) + 1);
  return between
    .map((call) => `t${call.turn} ${call.tool} ${call.subject} ${call.characters} ${name(call.callId)}`)
    .join("\n");
}
