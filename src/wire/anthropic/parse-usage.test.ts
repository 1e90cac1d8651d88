/** If red: cache writes are billed at the price of the wrong life time. */
import { describe, expect, it } from "vitest";
import { parseUsage } from "./parse-usage.ts";

describe("parseUsage", () => {
  it("keeps cache writes apart by life time", () => {
    const usage = parseUsage({
      input_tokens: 3,
      cache_read_input_tokens: 150_000,
      cache_creation_input_tokens: 2_000,
      cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1_500 },
      output_tokens: 18,
    });
    expect(usage).toEqual({
      inputTokens: 3,
      cacheReadTokens: 150_000,
      cacheWrite5mTokens: 500,
      cacheWrite1hTokens: 1_500,
      outputTokens: 18,
    });
  });

  it("takes all writes for short-lived where the record does not split them", () => {
    const usage = parseUsage({ cache_creation_input_tokens: 2_000 });
    expect(usage).toMatchObject({ cacheWrite5mTokens: 2_000, cacheWrite1hTokens: 0 });
  });

  it("keeps fast mode, which has its own price, and nothing of any other speed", () => {
    expect(parseUsage({ input_tokens: 1, speed: "fast" }).speed).toBe("fast");
    for (const speed of ["standard", null, 2, ["fast"]])
      expect(Object.keys(parseUsage({ input_tokens: 1, speed }))).not.toContain("speed");
  });

  it("never counts more writes than were made in all", () => {
    const usage = parseUsage({
      cache_creation_input_tokens: 100,
      cache_creation: { ephemeral_1h_input_tokens: 900 },
    });
    expect(usage).toMatchObject({ cacheWrite5mTokens: 0, cacheWrite1hTokens: 100 });
  });

  it.each([null, "12", -5, [12], { n: 12 }, true])("counts %j as none", (strange) => {
    const usage = parseUsage({
      input_tokens: strange,
      output_tokens: strange,
      cache_read_input_tokens: strange,
      cache_creation_input_tokens: strange,
      cache_creation: strange,
    });
    expect(Object.values(usage)).toEqual([0, 0, 0, 0, 0]);
  });

  it.each([undefined, null, [], "usage"])("counts nothing in %j", (raw) => {
    expect(Object.values(parseUsage(raw))).toEqual([0, 0, 0, 0, 0]);
  });
});
