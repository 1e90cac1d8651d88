/** If red: a large result stays in every request, or an error is folded away while it is worked on. */
import { describe, expect, test } from "vitest";
import { historyVocabulary } from "../../test/support/arbitrary-history.ts";
import { assistant, call, conversation, failed, image, results, user } from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits } from "../core/apply-edits.ts";
import { emptyLedger, type Layer } from "../core/layer.ts";
import { runPipeline } from "../core/pipeline.ts";
import { createFoldOutputs } from "./fold-outputs.ts";

const long = Array.from({ length: 200 }, (_, line) => `src/file${line}.ts:${line}: const value = ${line};`).join("\n");
const session = conversation(
  user("fix it"),
  assistant(call("Bash", { command: "grep -rn value" })),
  results(long),
  assistant(call("Bash", { command: "grep -rn value src" })),
  results(long),
);

describe("folding outputs", () => {
  test("[R138] a large result gives way to a preview with its handle; the newest exchange is spared", () => {
    const layer = createFoldOutputs({ vocabulary: historyVocabulary });
    const edits = layer.plan(createView(session));
    expect(edits.map((edit) => edit.kind === "replaceBlock" && edit.block)).toEqual(["toolResult:Bash#1"]);
    const [original] = layer.originals(edits, session);
    expect(original?.text).toBe(long);
    expect(edits[0]?.handles).toEqual([original?.handle]);
    const after = applyEdits(session, edits).messages;
    expect(JSON.stringify(after)).toContain(original?.handle ?? "no handle");
    expect(renderShape(after, { quotesResults: true })).toMatchInlineSnapshot(`
      "user text "fix it"
      assistant call Bash#1 {"command":"grep -rn value"}
      user result Bash#1 "[FOLDED: Bash output — 200 lines, 7469 chars]\\nPreview (searc"... 1198 chars
      assistant call Bash#2 {"command":"grep -rn value src"}
      user result Bash#2 "src/file0.ts:0: const value = 0;\\nsrc/file1.ts:1: const value"... 7469 chars"
    `);
  });

  test("at birth the newest result is folded too, and the layer is asked on every request", () => {
    const layer = createFoldOutputs({ atBirth: true });
    expect(layer.eager).toBe(true);
    expect(layer.plan(createView(session))).toHaveLength(2);
    expect(createFoldOutputs().eager).toBe(false);
  });

  test("[R62] folds at birth far below the line: in GREEN, and so already in YELLOW and ORANGE", () => {
    const { tokens, countTokens } = createView(session);
    const fold = (layers: readonly Layer[]) =>
      runPipeline({ messages: session, targetTokens: tokens * 10, countTokens, layers, ledger: emptyLedger });
    expect(fold([createFoldOutputs({ atBirth: true })]).report).toMatchObject({ layers: [{ applied: 2 }] });
    expect(fold([createFoldOutputs()]).report).toMatchObject({ layers: [] });
  });

  test("[R62] errors, the person's words, images and anything under 1,000 characters stay", () => {
    const spared = conversation(
      user(long),
      assistant(call("Bash"), call("Bash"), call("Bash")),
      results(failed(long), [long, image()], "x\n".repeat(499)),
      assistant("done"),
      user("thanks"),
    );
    expect(createFoldOutputs({ characters: 0, lines: 0 }).plan(createView(spared))).toEqual([]);
  });

  test("what a later result points to stays", () => {
    const read = { kind: "read", path: "a.ts" };
    const vocabulary = { interpretCall: () => read };
    const pointed = conversation(
      user("look"),
      assistant(call("Read")),
      results(long),
      assistant(call("Read")),
      results("File unchanged since last read."),
      assistant("done"),
    );
    expect(createFoldOutputs({ vocabulary }).plan(createView(pointed))).toEqual([]);
    expect(createFoldOutputs().plan(createView(pointed))).toHaveLength(1);
  });

  test("[R144] truncates at all: a result of 1,000,000 characters is never carried whole", () => {
    const huge = conversation(user("go"), assistant(call("Bash")), results("word ".repeat(200_000)), assistant("done"));
    const after = applyEdits(huge, createFoldOutputs().plan(createView(huge))).messages;
    expect(JSON.stringify(after).length).toBeLessThan(2_000);
  });

  test("[R144] no fixed size: of a test run the failure is kept, not the first lines", () => {
    const passes = Array.from({ length: 300 }, (_, index) => `✓ passes number ${index} (2 ms)`).join("\n");
    const run = `${passes}\n✗ adds two numbers\n  AssertionError: expected 4 to be 5\n    at src/add.test.ts:12:5\n`;
    const tested = conversation(
      user("go"),
      assistant(call("Bash", { command: "npm test" })),
      results(run),
      assistant("."),
    );
    const after = JSON.stringify(applyEdits(tested, createFoldOutputs().plan(createView(tested))).messages);
    expect(after).toContain("expected 4 to be 5");
  });

  test("with kinds only results of these actions are folded", () => {
    const read = conversation(
      user("look"),
      assistant(call("Read", { path: "a" }), call("Bash", { command: "b" })),
      results(long, long),
      assistant("done"),
    );
    const plan = (kinds: readonly string[]) =>
      createFoldOutputs({ vocabulary: historyVocabulary, kinds })
        .plan(createView(read))
        .map((edit) => edit.kind === "replaceBlock" && edit.block);
    expect(plan(["run", "search"])).toEqual(["toolResult:Bash#1"]);
    expect(plan(["read"])).toEqual(["toolResult:Read#1"]);
    expect(plan([])).toEqual([]);
  });

  test.each([
    [{ characters: -1 }, "characters"],
    [{ lines: Number.NaN }, "lines"],
    [{ budget: 10 }, "budget"],
  ])("bad options are named with their fix: %j", (options, name) => {
    expect(() => createFoldOutputs(options)).toThrow(TypeError);
    expect(() => createFoldOutputs(options)).toThrow(new RegExp(`^${name} must be a number of at least .+: .+`));
  });
});
