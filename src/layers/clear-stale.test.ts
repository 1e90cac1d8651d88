/** If red: an old read stays in the window after a newer one, or one that is still needed is cleared. */
import { describe, expect, test } from "vitest";
import { historyVocabulary as vocabulary } from "../../test/support/arbitrary-history.ts";
import {
  assistant,
  call,
  conversation,
  failed,
  type MessageDraft,
  opaque,
  results,
  user,
} from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits } from "../core/apply-edits.ts";
import type { JsonObject } from "../core/json.ts";
import { type ClearStaleOptions, createClearStale } from "./clear-stale.ts";

const text = (name: string): string => `${name} `.repeat(200);
const STUB = "File unchanged since last read. The earlier result is still current.";

/** One call and its result. */
function does(tool: string, input: JsonObject, output: string): readonly MessageDraft[] {
  return [assistant(call(tool, input)), results(output)];
}

/** Enough talk that what came before is no longer fresh. */
const talk: readonly MessageDraft[] = [1, 2, 3, 4].flatMap(() => [assistant("on it"), user("go on")]);

function plan(drafts: readonly (readonly MessageDraft[])[], options: ClearStaleOptions = {}): readonly string[] {
  const messages = conversation(user("go"), ...drafts.flat());
  const edits = createClearStale({ vocabulary, clearAtLeast: 0, ...options }).plan(createView(messages));
  return edits.map((edit) => `${edit.kind === "replaceBlock" ? edit.block : ""} ${edit.reason}`);
}

const whole = { path: "a.ts" };
const lines = (first: number, last: number): JsonObject => ({ path: "a.ts", first, last });

describe("[R139] superseded reads", () => {
  test("go when the file was read again, the range covered", () => {
    expect(plan([does("Read", whole, text("x")), does("Read", whole, text("y")), talk])).toEqual([
      "toolResult:Read#1 Read a.ts: read again since",
    ]);
    expect(plan([does("Read", lines(5, 9), text("x")), does("Read", lines(1, 20), text("y")), talk])).toHaveLength(1);
    expect(plan([does("Read", lines(5, 30), text("x")), does("Read", lines(1, 20), text("y")), talk])).toEqual([]);
    expect(plan([does("Read", whole, text("x")), does("Read", lines(1, 20), text("y")), talk])).toEqual([]);
  });

  test("go when the file was written or edited since, though not while it is being edited", () => {
    const edit = does("Edit", { path: "a.ts", before: "x", after: "y" }, "ok");
    expect(plan([does("Read", whole, text("x")), does("Write", whole, "ok"), talk])).toEqual([
      "toolResult:Read#1 Read a.ts: overwritten since by Write",
    ]);
    expect(plan([does("Read", whole, text("x")), edit, talk])).toEqual([
      "toolResult:Read#1 Read a.ts: changed since by Edit",
    ]);
    expect(plan([does("Read", whole, text("x")), talk, edit])).toEqual([]);
  });

  test("stay when the write failed, or another file was meant", () => {
    const failure = [assistant(call("Write", whole)), results(failed("no space left"))];
    expect(plan([does("Read", whole, text("x")), failure, talk])).toEqual([]);
    expect(plan([does("Read", whole, text("x")), does("Write", { path: "b.ts" }, "ok"), talk])).toEqual([]);
  });

  test("stay when a stub points to them, whatever comes later", () => {
    const stub = does("Read", whole, STUB);
    expect(plan([does("Read", whole, text("x")), stub, talk])).toEqual([]);
    expect(plan([does("Read", whole, text("x")), stub, does("Write", whole, "ok"), talk])).toEqual([]);
    const part = does("Read", lines(1, 20), text("z"));
    const again = does("Read", whole, text("y"));
    // The one with the same range, and every one of the file where there is none.
    expect(plan([does("Read", whole, text("x")), part, stub, again, talk])).toEqual([
      "toolResult:Read#2 Read a.ts: read again since",
    ]);
    const partStub = does("Read", lines(1, 20), STUB);
    expect(plan([part, does("Read", whole, text("x")), partStub, again, talk])).toEqual([
      "toolResult:Read#2 Read a.ts: read again since",
    ]);
    expect(plan([part, does("Read", lines(5, 9), text("x")), stub, again, talk])).toEqual([]);
    // A long result that says so is no stub.
    expect(plan([does("Read", whole, text("x")), does("Read", whole, text(STUB)), talk])).toHaveLength(1);
    // Only the newest of two is pointed to.
    expect(plan([does("Read", whole, text("x")), does("Read", whole, text("y")), stub, talk])).toEqual([
      "toolResult:Read#1 Read a.ts: read again since",
    ]);
  });

  test("stay while they are fresh", () => {
    expect(plan([does("Read", whole, text("x")), does("Read", whole, text("y"))])).toEqual([]);
  });
});

describe("duplicates, failures and results past their use", () => {
  const run = { command: "npm test" };

  test("of equal results of the same call the newest stays", () => {
    expect(plan([does("Bash", run, text("x")), does("Bash", run, text("x")), talk])).toEqual([
      "toolResult:Bash#1 Bash npm test: repeated word for word below",
    ]);
    expect(plan([does("Bash", run, text("x")), does("Bash", run, text("y")), talk])).toEqual([]);
    expect(plan([does("Bash", run, text("x")), does("Bash", { command: "ls" }, text("x")), talk])).toEqual([]);
  });

  test("a failed call loses its large values and keeps the small ones", () => {
    const messages = conversation(
      user("go"),
      assistant(call("Write", { path: "a.ts", content: text("code") })),
      results(failed("no space left")),
      ...talk,
    );
    const layer = createClearStale({ clearAtLeast: 0 });
    const edits = layer.plan(createView(messages));
    expect(renderShape(applyEdits(messages, edits).messages).split("\n").slice(1, 3)).toMatchInlineSnapshot(`
      [
        "assistant call Write#1 {"path":"a.ts","content":"[CLEARED: the call failed; full in... 89 chars",
        "user result Write#1 failed 13 chars",
      ]
    `);
    expect(layer.originals(edits, messages)[0]?.text).toBe(JSON.stringify({ path: "a.ts", content: text("code") }));
  });

  test("a failed call keeps its input while the next attempt may still need it", () => {
    const failing = [
      assistant(call("Write", { path: "a.ts", content: text("code") })),
      results(failed("no space left")),
    ];
    expect(plan([failing])).toEqual([]);
    expect(plan([failing, talk])).toHaveLength(1);
    expect(plan([failing, talk], { purgeInputsAfterExchanges: 6 })).toEqual([]);
  });

  test("results past their use go only where it is asked for, and not what is referred to", () => {
    const search = does("Bash", { command: "ls" }, text("src/used.ts"));
    const other = does("Bash", { command: "ls lib" }, text("lib/unused.ts"));
    const about = [assistant("now src/used.ts it is"), user("yes")];
    expect(plan([search, other, talk, about])).toEqual([]);
    expect(plan([search, other, talk, about], { unusedAfterExchanges: 3 })).toEqual([
      "toolResult:Bash#2 Bash ls lib: left out to make room",
    ]);
  });

  test("nothing is cleared unless enough goes", () => {
    const drafts = [does("Read", whole, text("x")), does("Read", whole, text("y")), talk];
    expect(plan(drafts, { clearAtLeast: 100 })).toHaveLength(1);
    expect(plan(drafts, { clearAtLeast: 1_000 })).toEqual([]);
  });

  test("each thing is cleared once, for the reason that came first", () => {
    const read = does("Read", whole, text("x"));
    const search = does("Bash", run, text("y"));
    expect(plan([read, search, read, search, read, talk], { unusedAfterExchanges: 1 })).toEqual([
      "toolResult:Read#1 Read a.ts: read again since",
      "toolResult:Bash#1 Bash npm test: repeated word for word below",
      "toolResult:Read#2 Read a.ts: read again since",
      "toolResult:Bash#2 Bash npm test: left out to make room",
    ]);
  });

  test("short results, failed ones and parts that nobody understands stay", () => {
    const twice = (result: MessageDraft): readonly MessageDraft[] =>
      [1, 2].flatMap(() => [assistant(call("Bash", run)), result]);
    expect(plan([twice(results("x".repeat(399))), talk])).toEqual([]);
    expect(plan([twice(results("x".repeat(400))), talk])).toHaveLength(1);
    expect(plan([twice(results([text("x"), opaque("new")])), talk])).toEqual([]);
    expect(plan([twice(results(failed(text("x")))), talk])).toEqual([]);
    const marker = `[CLEARED: Bash — ${text("x")}; full text: plimsoll:0123456789ab]`;
    expect(plan([twice(results(marker)), talk])).toEqual([]);
  });

  test("the note says what was there: its lines, its characters and its handle", () => {
    const messages = conversation(
      user("go"),
      ...does("Read", whole, `${text("x")}\n${text("y")}`),
      ...does("Read", whole, text("z")),
      ...talk,
    );
    const edits = createClearStale({ vocabulary, clearAtLeast: 0 }).plan(createView(messages));
    const [edit] = edits;
    expect(edit?.kind === "replaceBlock" && edit.content).toEqual({
      text: `[CLEARED: Read a.ts — read again since; 2 lines, 801 chars, full text: ${edit?.handles[0]}]`,
    });
  });

  test.each<[string, readonly (readonly MessageDraft[])[]]>([
    ["a path in the model's words", [[assistant("now src/used.ts it is"), user("yes")]]],
    ["a path in the person's words", [[assistant("done"), user("and src/used.ts?")]]],
    ["a path in a call", [does("Bash", { command: "cat src/used.ts" }, "x")]],
  ])("what is referred to stays: %s", (_, about) => {
    const search = does("Bash", { command: "ls" }, text("src/used.ts"));
    expect(plan([search, talk, ...about], { unusedAfterExchanges: 2 })).toEqual([]);
  });

  test.each<[string, string, readonly (readonly MessageDraft[])[]]>([
    ["an ordinary word", "planks", [[assistant("the planks hold"), user("yes")]]],
    ["a path in a result", "src/used.ts", [does("Bash", { command: "ls" }, "src/used.ts")]],
    ["a short name", "a.b", [[assistant("so a.b it is"), user("yes")]]],
  ])("what is only alike goes: %s", (_, name, about) => {
    const search = does("Bash", { command: "ls lib" }, text(name));
    expect(plan([search, talk, ...about], { unusedAfterExchanges: 2 })).toHaveLength(1);
  });

  test("without a vocabulary no file is read, and equal results of equal calls still go", () => {
    const read = does("Read", whole, text("x"));
    const messages = conversation(user("go"), ...read, ...read, ...talk);
    expect(
      createClearStale({ clearAtLeast: 0 })
        .plan(createView(messages))
        .map(({ reason }) => reason),
    ).toEqual(["Read: repeated word for word below"]);
  });

  test.each([
    ["keepExchanges", 0],
    ["clearAtLeast", -1],
    ["purgeInputsAfterExchanges", 0],
    ["unusedAfterExchanges", Number.NaN],
  ])("bad options are named with their fix: %s", (name, value) => {
    expect(() => createClearStale({ [name]: value })).toThrow(new RegExp(`^${name} must be a number of at least`));
  });
});
