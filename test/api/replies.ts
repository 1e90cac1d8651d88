import type { Answer, AnswerBlock, BrokenStream, Hang, Refusal, ThinkingBlock, ToolUseBlock } from "./scenario.ts";

/** Short spellings for the replies of a scenario, so that a script reads like the conversation. */

export function think(thought: string, signature = "c2lnbmF0dXJlLW9mLWEtc2NyaXB0ZWQtdGhvdWdodA=="): ThinkingBlock {
  return { type: "thinking", thinking: thought, signature };
}

export function call(name: string, input: Readonly<Record<string, unknown>>, id?: string): ToolUseBlock {
  return id === undefined ? { type: "tool_use", name, input } : { type: "tool_use", id, name, input };
}

/** Plain strings among the blocks become text. */
export function answer(...content: readonly (AnswerBlock | string)[]): Answer {
  return {
    kind: "answer",
    content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
  };
}

/** An answer to a compaction request in the form that the client expects. */
export function summary(words: string): Answer {
  return answer(`<analysis>\nScripted.\n</analysis>\n\n<summary>\n${words}\n</summary>`);
}

export function overflow(tokens: number, maxTokens: number): Refusal {
  return refuse(400, "invalid_request_error", `prompt is too long: ${tokens} tokens > ${maxTokens} maximum`);
}

export function tooLarge(): Refusal {
  return refuse(413, "request_too_large", "Request exceeds the maximum size");
}

export function rateLimited(retryAfterSeconds = 0): Refusal {
  return {
    ...refuse(429, "rate_limit_error", "This request would exceed the rate limit"),
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

export function serverError(): Refusal {
  return refuse(500, "api_error", "Internal server error");
}

export function overloaded(): Refusal {
  return refuse(529, "overloaded_error", "Overloaded");
}

export function refuse(status: number, errorType: string, message: string): Refusal {
  return { kind: "refusal", status, errorType, message };
}

export function breakStream(how: BrokenStream["how"], whole: Answer, afterEvents: number): BrokenStream {
  return { kind: "broken", how, answer: whole, afterEvents };
}

export function hang(): Hang {
  return { kind: "hang" };
}

/** Calls a request, from so many to so many: one at a time around a threshold, where the number that is reported counts, and eight elsewhere. */
export function batchCalls(from: number, to: number, thresholds: readonly number[]): readonly number[] {
  const batches: number[] = [];
  for (let calls = from; calls < to; calls += batches.at(-1) ?? 1) {
    const left = Math.min(...[...thresholds, to].map((limit) => (limit < calls ? to : limit - 2 - calls)));
    batches.push(Math.max(1, Math.min(8, left)));
  }
  return batches;
}
