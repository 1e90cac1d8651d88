/** If red: the price of an edit counts from the wrong place in the conversation. */
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, editsOf, results, user } from "../../../test/support/build.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import { type Message, renderResultText } from "../../core/message.ts";
import { countCommonTokens, locateLastBlocks, sizeEdits } from "./pricer.ts";

/** Every character of a text or result is a token, a call is ten. */
const countTokens = (message: Message): number =>
  message.blocks.reduce((sum, block) => {
    if (block.kind === "text") return sum + block.text.length;
    return sum + (block.kind === "toolResult" ? renderResultText(block).length : 10);
  }, 0);

const session = conversation(
  user("12345"),
  assistant("abc", call("Bash"), call("Read")),
  results("x".repeat(100), "y".repeat(200)),
  assistant("done"),
);
const { replaceBlock, replaceSpan } = editsOf(session);

describe("where an edit bites and what it takes out", () => {
  test("a block: behind the blocks in front of it", () => {
    const edits = [replaceBlock("toolResult:Bash#1", "z".repeat(40)), replaceBlock("toolResult:Read#1", "")];
    expect(sizeEdits(session, edits, countTokens)).toEqual([
      { positionTokens: 28, savedTokens: 60 },
      { positionTokens: 128, savedTokens: 200 },
    ]);
  });

  test("a span: from its first message that changes", () => {
    const [, second, third, fourth] = session;
    if (!second || !third || !fourth) throw new Error("the session has four messages");
    const whole = replaceSpan("m2", "m3", [{ ...second, blocks: second.blocks.slice(0, 1) }]);
    const tail = replaceSpan("m2", "m4", [second, third]);
    expect(sizeEdits(session, [whole, tail], countTokens)).toEqual([
      { positionTokens: 5, savedTokens: 320 },
      { positionTokens: 328, savedTokens: 4 },
    ]);
  });

  test("what is not there, or would grow, saves nothing", () => {
    const edits = [
      replaceBlock("text:none", "x"),
      replaceSpan("m2", "m9", []),
      replaceBlock("toolResult:Bash#1", "w".repeat(500)),
    ];
    expect(sizeEdits(session, edits, countTokens).map(({ savedTokens }) => savedTokens)).toEqual([0, 0, 0]);
  });
});

test("what two conversations have in common ends at the first block that is another object", () => {
  const { messages } = applyEdits(session, [replaceBlock("toolResult:Read#1", "z")]);
  expect(countCommonTokens(session, messages, countTokens)).toBe(128);
  expect(countCommonTokens(session, session, countTokens)).toBe(332);
  expect(countCommonTokens(session.slice(0, 2), session, countTokens)).toBe(28);
});

test("the last blocks begin with the message that holds the farthest of them", () => {
  expect([1, 2, 3, 4, 99].map((blocks) => locateLastBlocks(session, blocks, countTokens))).toEqual([328, 28, 28, 5, 0]);
});
