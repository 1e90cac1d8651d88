import { describe, expect, it } from "vitest";
import { listUnheeded } from "./heeded.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

describe("what command hooks cannot heed", () => {
  it("is named where it is set, and only then", () => {
    expect(listUnheeded(DEFAULT_SETTINGS)).toEqual([]);
    expect(listUnheeded({ ...DEFAULT_SETTINGS, early: "ask", compaction: "assisted" })).toEqual([
      expect.stringMatching(/^"compaction": "assisted" is not heeded here: /),
      expect.stringMatching(/^"early": "ask" is not heeded here: /),
    ]);
  });

  it("is nothing where what is set is what happens anyway", () => {
    expect(listUnheeded({ ...DEFAULT_SETTINGS, early: "off", compaction: "native" })).toEqual([]);
  });
});
