import { describe, expect, it } from "vitest";
import { parseHandle } from "./parse-handle.ts";

describe("a handle", () => {
  it.each([
    ["plimsoll:1a2b3c4d5e6f", { original: "plimsoll:1a2b3c4d5e6f" }],
    ["plimsoll:1a2b3c4d5e6f#12", { original: "plimsoll:1a2b3c4d5e6f", section: "12" }],
    ["1a2b3c#7", { original: "1a2b3c", section: "7" }],
    ["2026-11-15_bash #1.txt", { original: "2026-11-15_bash #1.txt" }],
    ["plimsoll:1a2b3c4d5e6f#", { original: "plimsoll:1a2b3c4d5e6f#" }],
  ])("%s names an original, and perhaps a section of it", (given, handle) => {
    expect(parseHandle(given)).toEqual(handle);
  });
});
