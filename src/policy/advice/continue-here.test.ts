/** If red: the note on where to go on cannot be read by the next session. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { tries } from "../../../test/support/depth.ts";
import type { LoopProgress } from "./continue-here.ts";
import { parseContinueHere, renderContinueHere } from "./continue-here.ts";

const progress: LoopProgress = {
  writtenMs: Date.UTC(2026, 0, 2, 10, 20),
  phase: "4",
  task: 4,
  tasks: 7,
  completed: ["parse the order", "price it"],
  remaining: ["refund", "tax", "report"],
  decisions: ["money is kept in cents"],
  blockers: [],
  wipFiles: ["src/orders/refund-order.ts"],
};

it("[R74] says where the work stands, field by field", () => {
  expect(renderContinueHere(progress)).toMatchInlineSnapshot(`
    "# Continue here

    Written: 2026-01-02 10:20
    Phase: 4
    Task: 4 of 7

    Completed:
    - parse the order
    - price it

    Remaining:
    - refund
    - tax
    - report

    Decisions:
    - money is kept in cents

    Blockers:

    WIP Files:
    - src/orders/refund-order.ts
    "
  `);
});

it("[R74] has no line for an item without words", () => {
  expect(renderContinueHere({ ...progress, blockers: ["", " \n"] })).toBe(renderContinueHere(progress));
});

it("[R74] comes back as it was written down, whatever the words", () => {
  const anyLine = arbitraryUnits(20)
    .map((text) => text.replace(/\s+/g, " ").trim())
    .filter((text) => text !== "");
  const anyList = fc.array(fc.oneof(anyLine, fc.constantFrom("Phase: 9", "Remaining:", "- x", "# Continue here")), {
    maxLength: 4,
  });
  const anyProgress: fc.Arbitrary<LoopProgress> = fc.record({
    phase: anyLine,
    task: fc.nat(999),
    tasks: fc.nat(999),
    completed: anyList,
    remaining: anyList,
    decisions: anyList,
    blockers: anyList,
    wipFiles: anyList,
  });
  fc.assert(
    fc.property(anyProgress, (written) => {
      expect(parseContinueHere(renderContinueHere(written))).toEqual(written);
    }),
    { numRuns: tries(40, 300) },
  );
});

it("[R74] is read from a file with other line ends and without its empty lists", () => {
  expect(parseContinueHere("Phase: 4\r\nTask: 2 of 3\r\nCompleted:\r\n- one\r\n")).toEqual({
    phase: "4",
    task: 2,
    tasks: 3,
    completed: ["one"],
    remaining: [],
    decisions: [],
    blockers: [],
    wipFiles: [],
  });
});

it("[R74] is not found in another text, and no text throws", () => {
  for (const text of ["", "Phase: 4", "Task: 1 of 2", "Phase: 4\nTask: one of two"])
    expect(parseContinueHere(text)).toBeUndefined();
  fc.assert(
    fc.property(arbitraryUnits(80), (text) => {
      parseContinueHere(text);
    }),
  );
});
