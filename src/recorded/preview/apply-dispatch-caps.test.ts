/** If red: a bundle for a subagent exceeds its caps, or loses a file without a word. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyDispatchCaps, DISPATCH_CAPS } from "./apply-dispatch-caps.ts";

describe("the caps at dispatch", () => {
  it("[R109] are 400,000 characters, 12 files, 4,000 characters a file and 2,000 for the prompt", () => {
    expect(DISPATCH_CAPS).toEqual({ maxBundleChars: 400_000, maxFiles: 12, maxFileChars: 4000, maxUserChars: 2000 });
  });

  it("[R109] leave a small bundle as it is", () => {
    const { text, ...rest } = applyDispatchCaps({ system: "s", user: "u", files: [{ path: "a.ts", text: "x" }] });
    expect(text).toBe("[SYSTEM] s\n[USER] u\n### File 1: a.ts\nx");
    expect(rest).toEqual({ chars: 38, fileCount: 1, isUserTruncated: false, truncated: [], dropped: [] });
  });

  it("[R109] cut a file at 4,000 characters with a mark, and name it", () => {
    const files = [4000, 4001].map((length) => ({ path: `${length}.ts`, text: "x".repeat(length) }));
    const { text, truncated } = applyDispatchCaps({ system: "", user: "", files });
    expect(truncated).toEqual(["4001.ts"]);
    expect(text?.split("\n").map((line) => line.length)).toEqual([9, 7, 19, 4000, 19, 4000]);
    expect(text).toMatch(/x\.\.\. \[truncated\]$/);
  });

  it("[R109] drop the thirteenth file, cut a long prompt, and say both", () => {
    const files = Array.from({ length: 13 }, (_, index) => ({ path: `${index + 1}.ts`, text: "x" }));
    const capped = applyDispatchCaps({ system: "", user: "u".repeat(2001), files });
    expect(capped).toMatchObject({ fileCount: 12, dropped: ["13.ts"], isUserTruncated: true });
    expect(capped.text?.split("\n")[1]).toHaveLength("[USER] ".length + 2000);
  });

  it("[R109] refuse a bundle that is too long without any file", () => {
    const capped = applyDispatchCaps({ system: "s".repeat(400_000), user: "", files: [{ path: "a.ts", text: "x" }] });
    expect(capped).toMatchObject({ text: undefined, fileCount: 0, dropped: ["a.ts"] });
  });

  it.each([
    ["a file", 4000, (text: string) => ({ user: "", files: [{ path: "a", text }] })],
    ["the prompt", 2000, (user: string) => ({ user, files: [] })],
  ])("[R101] redact before they cut, so that no half of a key in %s is sent", (_, cap, place) => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    // The cut, with its mark, falls into the key.
    const text = applyDispatchCaps({ system: "", ...place(`${"x".repeat(cap - 40)} ${key}`) }).text ?? "";
    expect(text).toContain("x".repeat(cap - 40));
    expect(text).not.toContain("a1B2");
  });

  it("[R109] hold for any bundle and any caps, and lose no file without naming it", () => {
    const caps = fc.record({
      maxBundleChars: fc.nat(400),
      maxFiles: fc.nat(4),
      maxFileChars: fc.nat(60),
      maxUserChars: fc.nat(60),
    });
    const bundle = fc.record({
      system: fc.string({ maxLength: 40 }),
      user: fc.string({ maxLength: 100, unit: "grapheme" }),
      files: fc.array(
        fc.record({ path: fc.string({ maxLength: 9 }), text: fc.string({ maxLength: 100, unit: "grapheme" }) }),
        {
          maxLength: 8,
        },
      ),
    });
    fc.assert(
      fc.property(bundle, caps, (given, limits) => {
        const { text, fileCount, dropped } = applyDispatchCaps(given, limits);
        if (text !== undefined) expect(text.length).toBeLessThanOrEqual(limits.maxBundleChars);
        expect(fileCount).toBeLessThanOrEqual(limits.maxFiles);
        expect(fileCount + dropped.length).toBe(given.files.length);
        expect(text ?? "").not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      }),
    );
  });

  it("refuse caps that mean nothing", () => {
    expect(() => applyDispatchCaps({ system: "", user: "", files: [] }, { maxFiles: Number.NaN })).toThrow(
      new TypeError("maxFiles takes a number of at least 0, not NaN: leave it out for the default"),
    );
  });
});
