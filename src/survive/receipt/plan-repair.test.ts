/** If red: the repair after a compaction leaves out lost facts without a word, or repeats kept ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { diffSummary } from "./diff-summary.ts";
import { listFacts } from "./list-facts.ts";
import { planRepair } from "./plan-repair.ts";

const happened = story()
  .asks("Add rounding to the invoice total. Never touch the migrations folder.")
  .calls("Write", { file_path: "/p/src/invoice.ts", content: "export {}\n" }, "ok")
  .calls("Write", { file_path: "/p/src/money.ts", content: "export {}\n" }, "ok")
  .happened();
const facts = listFacts(happened, { root: "/p" }).filter(({ kind }) => kind === "file" || kind === "constraint");

describe("a repair", () => {
  it("puts back what is lost, the most important first, under a dated header", () => {
    const diff = diffSummary("Rounding was added in money.ts.", facts);
    expect(planRepair(diff).text.split("\n")).toEqual([
      "[restored from this session's record, request 2: the summary above left this out or got it wrong]",
      '- The user said: "Never touch the migrations folder."',
      expect.stringMatching(/^- File created: src\/invoice\.ts #[\da-f]{8}$/),
    ]);
  });

  it("is empty where nothing is lost", () => {
    const whole = facts.map(({ text }) => text).join("\n");
    expect(planRepair(diffSummary(whole, facts))).toEqual({ text: "", repaired: [], leftOut: [] });
  });

  it("tells nothing twice: a file that the place to go on names has no line of its own", () => {
    const working = story()
      .asks("Add rounding to the invoice total")
      .calls("Edit", { file_path: "/p/src/invoice.ts", old_string: "a", new_string: "b" }, "ok")
      .happened();
    const { text, repaired, leftOut } = planRepair(diffSummary("", listFacts(working, { root: "/p" })));
    expect(text).toContain("- Next, at this point: ");
    expect(text).not.toContain("File changed");
    expect(repaired.find(({ fact }) => fact.kind === "file")?.line).toBe("");
    expect(leftOut).toEqual([]);
  });

  it("leaves out what does not fit, and says what", () => {
    const diff = diffSummary("", facts);
    const { text, repaired, leftOut } = planRepair(diff, 170);
    expect(text.length).toBeLessThanOrEqual(170);
    expect(repaired.map(({ fact }) => fact.kind)).toEqual(["constraint"]);
    expect(leftOut.map(({ kind }) => kind)).toEqual(["file", "file"]);
  });

  it("never exceeds its limit, repairs only what is lost, and accounts for every lost fact", () => {
    fc.assert(
      fc.property(arbitraryHappened, fc.string(), fc.nat({ max: 3000 }), (any, summary, limit) => {
        const diff = diffSummary(summary, listFacts(any));
        const { text, repaired, leftOut } = planRepair(diff, limit);
        expect(text.length).toBeLessThanOrEqual(limit);
        const lost = new Set(diff.lost.map(({ fact }) => fact));
        const reported = [...repaired.map(({ fact }) => fact), ...leftOut];
        expect(reported.every((fact) => lost.has(fact))).toBe(true);
        expect(new Set(reported).size).toBe(lost.size);
      }),
      { numRuns: 60 },
    );
  });
});
