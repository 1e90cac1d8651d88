import type { JsonObject } from "../../src/core/json.ts";
import {
  answer,
  attachment,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "./transcript-lines.ts";

const BASE_TOKENS = 20_000;
const GROWTH_TOKENS = 8000;
const REQUESTS_BEFORE = 18;
const SUMMARY = "The person wants all parts read; parts 0 to 3 are read, constant value70 matters. ".repeat(100);
const SUMMARY_TOKENS = 2500;
/** What the window after it begins with, next to the summary. */
const LAST_RESULT_TOKENS = 4000;

/**
 * A session of a client of today, as its file: results that load tools (`tool_reference`), results that are papers (`document`), plain
 * ones, and a compaction in the middle. Its usage is what a provider would count whose cache did what time stamps say.
 */
export function recordCompactedSession(after = 12): string {
  const before = REQUESTS_BEFORE;
  const first = Array.from({ length: before }, (_, index) =>
    recordExchange(index, BASE_TOKENS + index * GROWTH_TOKENS),
  );
  const opened = BASE_TOKENS + SUMMARY_TOKENS + LAST_RESULT_TOKENS;
  const second = Array.from({ length: after }, (_, index) =>
    recordExchange(before + index, opened + index * GROWTH_TOKENS, index === 0 ? BASE_TOKENS : undefined),
  );
  return toFile(
    transcript(
      prompt("read it all"),
      ...first.flat(),
      boundary(`l${1 + 2 * before}`),
      summary(SUMMARY),
      attachment({ type: "todo_reminder", content: [], itemCount: 0 }),
      ...second.flat(),
    ),
  );
}

function recordExchange(index: number, contextTokens: number, cachedTokens?: number): readonly JsonObject[] {
  const read = cachedTokens ?? (index === 0 ? 0 : contextTokens - GROWTH_TOKENS);
  const usage = { input_tokens: 0, cache_read_input_tokens: read, cache_creation_input_tokens: contextTokens - read };
  const call = index % 3 === 0 ? "ToolSearch" : "Read";
  const input = call === "Read" ? { file_path: `lib/part${index % 4}.ts` } : { query: "select:TaskCreate" };
  return [
    answer(`m${index}`, [toolUse(`t${index}`, call, input)], { ...usage, output_tokens: 60 }),
    recordResult(index),
  ];
}

function recordResult(index: number): JsonObject {
  const plain = { type: "text", text: `export const value${index}0 = ${index};\n`.repeat(400) };
  if (index % 3 === 0) return toolResult(`t${index}`, [{ type: "tool_reference", tool_name: "TaskCreate" }]);
  if (index % 3 === 1)
    return toolResult(`t${index}`, [plain, { type: "document", source: { type: "text", data: "a plan" } }]);
  return toolResult(`t${index}`, [plain]);
}
