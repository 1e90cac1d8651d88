/** If red: the size of real summaries is wrong, and so is what replacing them saves. */
import { describe, expect, it } from "vitest";
import { compacted, injected, prompt, request } from "../../test/support/session-events.ts";
import type { SessionEvent } from "../core/event.ts";
import { createRecording } from "./recording.ts";
import { describeSummarySizes, listSummarySizes } from "./summary-sizes.ts";

const TEXT = "what was done so far, and what is left to do\n".repeat(40);

const list = (...events: readonly SessionEvent[]) => listSummarySizes(createRecording(events));

describe("[R154] the sizes of real summaries", () => {
  it("are those of the texts that compactions left, with what came before", () => {
    const found = list(
      prompt("go"),
      request("s1", 150_000),
      compacted({ preTokens: 150_000 }),
      injected("summary", TEXT),
      request("s2", 20_000),
      compacted({ preTokens: 90_000 }),
      injected("summary", `${TEXT}${TEXT}`),
      request("s3", 20_000),
    );
    expect(found.map(({ characters, preTokens }) => [characters, preTokens])).toEqual([
      [TEXT.length, 150_000],
      [TEXT.length * 2, 90_000],
    ]);
    const [one, two] = found.map(({ tokens }) => tokens);
    expect(one).toBeGreaterThan(TEXT.length / 10);
    expect(two).toBeGreaterThan((one ?? 0) * 1.9);
  });

  it("include one that no request has carried yet", () => {
    expect(list(request("s1", 150_000), compacted(), injected("summary", TEXT))).toHaveLength(1);
  });

  it("leave out a compaction of which no text is recorded, and what else is injected", () => {
    expect(list(request("s1", 9), compacted(), injected("attachment", TEXT), request("s2", 9))).toEqual([]);
    expect(list(prompt(TEXT), request("s1", 9))).toEqual([]);
  });
});

describe("sizes of summaries", () => {
  it("[R154] are told by their quantiles, up to the largest of ten thousand", () => {
    const sizes = Array.from({ length: 10_000 }, (_, index) => index + 1).reverse();
    expect(describeSummarySizes(sizes)).toEqual({
      count: 10_000,
      least: 1,
      mean: 5000.5,
      p50: 5001,
      p90: 9001,
      p99: 9901,
      p9999: 10_000,
      most: 10_000,
    });
  });

  it("are not known of none, and what is no size does not count", () => {
    expect(describeSummarySizes([])).toMatchObject({ count: 0, p50: undefined, p9999: undefined, mean: undefined });
    expect(describeSummarySizes([Number.NaN, -1, 7])).toMatchObject({ count: 1, p50: 7, most: 7 });
  });
});
