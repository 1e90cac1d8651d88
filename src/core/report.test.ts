import { expect, test } from "vitest";
import { editsOf } from "../../test/support/build.ts";
import { type LayerReport, type Report, renderReport } from "./report.ts";

const quiet: Report = {
  tokensBefore: 900,
  tokensAfter: 900,
  targetTokens: 1000,
  replayed: 0,
  dropped: 0,
  layers: [],
  stopped: "belowLine",
};
const fold: LayerReport = {
  layer: "foldOutput",
  pass: 1,
  tokensBefore: 900,
  tokensAfter: 400,
  applied: 2,
  refused: [],
};

test("a run that had nothing to do is one line", () => {
  expect(renderReport(quiet)).toMatchInlineSnapshot(
    `"900 -> 900 tokens, line at 1000; 0 earlier decisions replayed; stopped: belowLine"`,
  );
});

test("estimates are whole tokens for a person", () => {
  const layers = [{ ...fold, tokensBefore: 29882.389999999996, tokensAfter: 12.5 }];
  const text = renderReport({ ...quiet, tokensBefore: 29882.389999999996, layers });
  expect(text).toContain("29882 -> 900 tokens");
  expect(text).toContain("29882 -> 13 tokens");
});

test("each layer that was asked is a line: what it did, what was refused and why, whether it failed", () => {
  const edit = editsOf([]).replaceBlock("text:none", "x");
  const report: Report = {
    ...quiet,
    tokensAfter: 400,
    targetTokens: 300,
    replayed: 3,
    dropped: 2,
    layers: [
      fold,
      {
        ...fold,
        layer: "clearStaleReads",
        applied: 0,
        refused: [
          { edit, why: "targetMissing", detail: "no block text:none" },
          { edit, why: "wrongContent", detail: "a text block takes a text" },
        ],
      },
      { ...fold, layer: "summariseRounds", pass: 2, applied: 0, failure: "no model" },
    ],
    stopped: "passesSpent",
  };
  expect(renderReport(report)).toMatchInlineSnapshot(`
    "900 -> 400 tokens, line at 300; 3 earlier decisions replayed, 2 dropped because what they replaced has changed; stopped: passesSpent
    1. foldOutput: 2 edits, 900 -> 400 tokens
    1. clearStaleReads: 0 edits, 2 refused (targetMissing), 900 -> 400 tokens
    2. summariseRounds: 0 edits, failed: no model, 900 -> 400 tokens"
  `);
});

test.each(["belowLine", "nothingToDo", "passesSpent", "timeSpent"] as const)(
  "it says that it stopped for %s",
  (stopped) => {
    expect(renderReport({ ...quiet, stopped })).toContain(`stopped: ${stopped}`);
  },
);
