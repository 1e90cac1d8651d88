import { describe, expect, it } from "vitest";
import { renderSections } from "../../layers/ledger/sections.ts";
import { parseHandle, pickSection } from "./pick-section.ts";

describe("a handle", () => {
  it("names an original, or one line of a stretch of ledger", () => {
    expect(parseHandle("plimsoll:1a2b3c4d5e6f")).toEqual({ digits: "1a2b3c4d5e6f", section: undefined });
    expect(parseHandle(" plimsoll:1a2b3c4d5e6f#12i ")).toEqual({ digits: "1a2b3c4d5e6f", section: "12i" });
  });

  it("is nothing that leads anywhere else", () => {
    for (const text of [
      "../../etc/passwd",
      "2026-11-15_bash #1.txt",
      "plimsoll:1a2b3c4d5e6f#",
      "plimsoll:",
      "plimsoll:xyz",
      "plimsoll:1a2b3c#../x",
      "1a2b#",
    ])
      expect(parseHandle(text)).toBeUndefined();
  });
});

describe("picking a section", () => {
  const stretch = renderSections([
    ["1i", '{"file_path":"a.ts"}'],
    ["1", "one\ntwo"],
    ["2i", '{"command":"ls"}'],
  ]);

  it("gives the line's result byte for byte, and the input where there is no result", () => {
    expect(pickSection(stretch, "1")).toBe("one\ntwo");
    expect(pickSection(stretch, "1i")).toBe('{"file_path":"a.ts"}');
    expect(pickSection(stretch, "2")).toBe('{"command":"ls"}');
    expect(pickSection(stretch, "3")).toBeUndefined();
  });

  it("says what there is where no line is named", () => {
    expect(pickSection(stretch, undefined)).toContain("#1: 7 characters");
  });

  it("gives an ordinary original whole, and no section of it", () => {
    expect(pickSection("plain", undefined)).toBe("plain");
    expect(pickSection("plain", "1")).toBeUndefined();
  });
});
