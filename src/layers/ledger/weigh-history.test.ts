/** If red: messages that the work still needs are counted as old and leave the window. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, opaque, results, system, user } from "../../../test/support/build.ts";
import { ledgerStyle } from "../../../test/support/ledger-style.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Message } from "../../core/message.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderChunk } from "./render-chunk.ts";
import { findCut, weighHistory } from "./weigh-history.ts";

const style: LedgerStyle = ledgerStyle(100);
const tail = { keepExchanges: 2, maxTailTokens: 1_000 };
/** Ten tokens a message, so that every sum can be made in the head. */
const ten = (): number => 10;

function step(index: number, output = "x".repeat(1_000)) {
  return [assistant(call("Bash", { command: `make ${index}` })), results(output)];
}

const five = conversation(user("go"), ...[1, 2, 3, 4].flatMap((index) => step(index)));

describe("weighing a history", () => {
  test("parts it into what has grown old and the end that stays", () => {
    const { ledgerTokens, old, tailTokens, tailExchanges } = weighHistory(five, ten, { style, tail });
    expect({ ledgerTokens, tailTokens, tailExchanges }).toEqual({ ledgerTokens: 0, tailTokens: 40, tailExchanges: 2 });
    expect(old.map(({ first, last }) => [first, last])).toEqual([
      [0, 0],
      [1, 2],
      [3, 4],
    ]);
  });

  test("says of each exchange what would go and what would stay: together all of it", () => {
    const [words, work] = weighHistory(five, ten, { style, tail }).old;
    expect(words).toMatchObject({ gainTokens: 0, keptTokens: 10 });
    const line = `Bash command: make 1 → ${"x".repeat(49)}… (1 lines)`;
    expect(work?.pieces).toMatchObject([{ kind: "line", text: line }]);
    expect((work?.gainTokens ?? 0) + (work?.keptTokens ?? 0)).toBeCloseTo(20);
    expect(work?.keptTokens).toBeCloseTo((20 * line.length) / 1_020);
  });

  test("a heavy end shrinks to its last three exchanges, and to its last one where it would not fit otherwise", () => {
    const weigh = (maxTailTokens: number, roomTokens?: number) => {
      const room = roomTokens === undefined ? {} : { roomTokens };
      return weighHistory(five, ten, { style, tail: { keepExchanges: 4, maxTailTokens, ...room } }).tailExchanges;
    };
    expect([weigh(80), weigh(79), weigh(0)]).toEqual([4, 3, 3]);
    expect([weigh(0, 60), weigh(0, 59), weigh(0, 39), weigh(0, 0)]).toEqual([3, 2, 1, 1]);
  });

  test("what was fetched back a few exchanges ago stays with what followed it, as far as the cap allows", () => {
    const fetched = [assistant(call("recall", { handle: "plimsoll:0123456789ab" })), results("the hull")];
    const messages = conversation(user("go"), ...step(1), ...fetched, ...[3, 4, 5, 6].flatMap((index) => step(index)));
    const weigh = (recalledExchanges: number, maxTailTokens = 100): number =>
      weighHistory(messages, ten, { style, tail: { keepExchanges: 2, maxTailTokens, recalledExchanges } })
        .tailExchanges;
    expect([weigh(0), weigh(4), weigh(5), weigh(6)]).toEqual([2, 2, 5, 5]);
    expect(weigh(5, 99)).toBe(2);
  });

  test("an exchange just made never goes by the cap: where the last three fit, they stay", () => {
    const sizes = fc.array(fc.nat(60_000), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 8 }), fc.nat(50_000), (all, keepExchanges, maxTailTokens) => {
        const hot = all.slice(-Math.min(3, keepExchanges));
        const roomTokens = hot.reduce((sum, size) => sum + size, 0);
        const cut = findCut(all, { keepExchanges, maxTailTokens, roomTokens });
        expect(all.length - cut).toBeGreaterThanOrEqual(hot.length);
        expect(all.length - cut).toBeLessThanOrEqual(keepExchanges);
        expect(findCut(all, { keepExchanges, maxTailTokens })).toBe(cut);
      }),
    );
  });

  test("an exchange with something nobody understands is fixed: nothing of it would go", () => {
    const messages = conversation(
      user("go"),
      assistant(opaque("new"), call("Bash")),
      results("x"),
      ...step(1),
      ...step(2),
    );
    expect(
      weighHistory(messages, ten, { style, tail }).old.map(({ isFixed, gainTokens }) => [isFixed, gainTokens]),
    ).toEqual([
      [false, 0],
      [true, 0],
    ]);
  });

  test("what is ledger already is in front, and counts as nothing else", () => {
    const { old } = weighHistory(five, ten, { style, tail });
    const span = five.slice(0, 3);
    const pieces = old.slice(0, 2).flatMap((exchange) => exchange.pieces);
    const edit = renderChunk({ span, exchanges: 2, pieces }, { by: "test", hash: undefined });
    const after = applyEdits(five, edit ? [edit] : []).messages;
    const weighed = weighHistory(after, ten, { style, tail });
    expect(weighed).toMatchObject({ ledgerTokens: 10, tailTokens: 40 });
    expect(weighed.old.map(({ messages }) => messages)).toEqual([five.slice(3, 5)]);
  });

  test("a result that was folded in the middle of an exchange is seen, though its first and last message are the same", () => {
    const messages = conversation(
      user("go"),
      assistant(call("Bash", { command: "make" })),
      results("x".repeat(1_000)),
      system("be brief"),
      ...step(1),
      ...step(2),
    );
    weighHistory(messages, ten, { style, tail });
    const folded = messages.map(
      (message): Message => (message === messages[2] ? { ...message, blocks: fold(message) } : message),
    );
    expect(weighHistory(folded, ten, { style, tail }).old[1]?.pieces[0]).toMatchObject({
      text: "Bash command: make → folded",
    });
  });

  test("the empty conversation weighs nothing", () => {
    expect(weighHistory([], ten, { style, tail })).toEqual({
      ledgerTokens: 0,
      old: [],
      tailTokens: 0,
      tailExchanges: 0,
    });
  });
});

function fold({ blocks }: Message): Message["blocks"] {
  return blocks.map((block) =>
    block.kind === "toolResult" ? { ...block, parts: [{ kind: "text", text: "folded" }] } : block,
  );
}
