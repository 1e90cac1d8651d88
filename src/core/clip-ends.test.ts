/** If red: a long answer that is kept loses its end or its headings, or is longer than the room given to it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipEnds } from "./clip-ends.ts";

const LONG = [
  "# Task",
  "Move the store to SQLite.",
  "It is slow. ".repeat(100),
  "## Setup",
  "Never push to main without asking.",
  "We look at it again. ".repeat(100),
  "## Rollback",
  "In conclusion, the index was missing.",
].join("\n");

describe("both ends of a long text", () => {
  it("stay, cut at sentences, with headings and rules of what was left out between them", () => {
    const shown = clipEnds(LONG, 600);
    const [head = "", tail = ""] = shown.split(
      /\(… \d+ characters left out: Setup\)\nNever push to main without asking\.\n/,
    );
    expect(head).toMatch(/^# Task\nMove the store to SQLite\.[\s\S]*\.\n$/);
    expect(tail).toMatch(/^We look[\s\S]*## Rollback\nIn conclusion, the index was missing\.$/);
  });

  it("leave a short text as it is", () => {
    expect(clipEnds("A word.", 20)).toBe("A word.");
  });

  it("keep rule and ends when a text that was cut is cut again", () => {
    const shown = clipEnds(clipEnds(LONG, 600), 320);
    expect(shown).toContain("Never push to main without asking.");
    expect(shown.startsWith("# Task")).toBe(true);
    expect(shown.endsWith("the index was missing.")).toBe(true);
  });

  it("never take more than the room, nor split a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), fc.integer({ min: 1, max: 1_500 }), (text, most) => {
        const shown = clipEnds(text, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        if (!/[\uD800-\uDFFF]/.test(text.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "")))
          expect(shown.replace(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, "")).not.toMatch(/[\uD800-\uDFFF]/);
      }),
    );
  });
});
