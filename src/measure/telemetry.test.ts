/** If red: tokens, growth, cache or cost are wrong in the list of a session's requests. */
import { describe, expect, it } from "vitest";
import {
  answer,
  boundary,
  prompt,
  summary,
  toolResult,
  toolUse,
  transcript,
} from "../../test/support/transcript-lines.ts";
import type { JsonObject } from "../core/json.ts";
import { createTranscriptReader } from "../hosts/claude-code/transcript-reader.ts";
import { listRequests } from "./telemetry.ts";

function recordLines(...lines: readonly JsonObject[]) {
  const reader = createTranscriptReader();
  return listRequests(transcript(...lines).flatMap((line) => reader.read(line)?.events ?? []));
}

describe("telemetry", () => {
  it("[R152] tells tokens, growth, cache and dollars of every request, by the person's turns", () => {
    const requests = recordLines(
      prompt("Begin."),
      answer("m1", [toolUse("t1", "Bash")], { cache_creation_input_tokens: 20_000, output_tokens: 5 }),
      answer("m1", [toolUse("t2", "Bash")], { cache_creation_input_tokens: 20_000, output_tokens: 90 }),
      toolResult("t1", "x"),
      answer("m2", ["Done."], { cache_read_input_tokens: 20_000, cache_creation_input_tokens: 3000 }),
      prompt("Go on."),
      answer("m3", ["Again."], { cache_creation_input_tokens: 26_000 }),
    );
    expect(requests).toMatchObject([
      {
        request: 1,
        turn: 1,
        toolCalls: 2,
        outputTokens: 90,
        contextTokens: 20_003,
        growthTokens: undefined,
        cacheShare: 0,
      },
      { request: 2, turn: 1, toolCalls: 0, contextTokens: 23_003, growthTokens: 3000, missCause: undefined },
      { request: 3, turn: 2, growthTokens: 3000, missCause: "unknown", missedTokens: expect.any(Number) },
    ]);
    expect(requests[1]?.cacheShare).toBeCloseTo(20_000 / 23_003);
    expect(requests[0]?.usd).toBeCloseTo((3 * 5 + 20_000 * 6.25 + 90 * 25) / 1e6);
    expect(requests[2]?.missedTokens).toBeGreaterThan(20_000);
  });

  it("prices a request by the list of its day, as the bill of its session does", () => {
    const lines = ["2026-03-12", "2026-03-13"].map((day) => {
      const long = answer(`m ${day}`, ["Done."], {
        input_tokens: 0,
        cache_read_input_tokens: 300_000,
        output_tokens: 0,
      });
      return { ...long, timestamp: `${day}T12:00:00Z` };
    });
    // Above 200,000 tokens a token of this model cost twice as much until that day.
    expect(recordLines(...lines).map(({ usd }) => usd)).toEqual([0.3, 0.15]);
  });

  it("marks the first request after a compaction, which grows from nothing", () => {
    const requests = recordLines(
      prompt("Begin."),
      answer("m1", ["One."], { cache_creation_input_tokens: 90_000 }),
      boundary("l2"),
      summary("It began."),
      answer("m2", ["Two."], { cache_creation_input_tokens: 9000 }),
    );
    expect(requests[1]).toMatchObject({ isAfterCompaction: true, growthTokens: undefined, missCause: "compaction" });
  });
});
