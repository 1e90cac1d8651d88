import { describe, expect, it } from "vitest";
import { parseUsage } from "./parse-usage.ts";

describe("parseUsage", () => {
  it("keeps writes apart by their life time", () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 70,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 50 },
    };
    expect(parseUsage(usage)).toEqual({
      inputTokens: 3,
      cacheReadTokens: 100,
      cacheWrite5mTokens: 20,
      cacheWrite1hTokens: 50,
      outputTokens: 5,
    });
  });

  it("keeps fast mode, which has its own price", () => {
    expect(parseUsage({ output_tokens: 1, speed: "fast" }).speed).toBe("fast");
    expect(parseUsage({ output_tokens: 1, speed: "standard" })).not.toHaveProperty("speed");
  });

  it("takes writes without a life time for the short one", () => {
    expect(parseUsage({ cache_creation_input_tokens: 70 })).toMatchObject({ cacheWrite5mTokens: 70 });
  });

  it.each([undefined, null, [], { input_tokens: "3", output_tokens: -1, cache_creation: 4 }])(
    "counts nothing in %j",
    (raw) => {
      expect(Object.values(parseUsage(raw))).toEqual([0, 0, 0, 0, 0]);
    },
  );
});
