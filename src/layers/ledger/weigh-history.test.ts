/** If red: messages that the work still needs are counted as old and leave the window. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  conversation,
  image,
  type MessageDraft,
  opaque,
  results,
  system,
  thinking,
  user,
} from "../../../test/support/build.ts";
import { ledgerStyle } from "../../../test/support/ledger-style.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Message } from "../../core/message.ts";
import type { LedgerStyle } from "./describe-call.ts";
import type { Piece } from "./piece.ts";
import { renderChunk } from "./render-chunk.ts";
import { findCut, measureShare, weighHistory } from "./weigh-history.ts";

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
    const fetched = [assistant(call("recall", { handle: ["0123456789ab#3"] })), results("the hull")];
    const messages = conversation(user("go"), ...step(1), ...fetched, ...[3, 4, 5, 6].flatMap((index) => step(index)));
    const weigh = (recalledExchanges: number, maxTailTokens = 100): number =>
      weighHistory(messages, ten, { style, tail: { keepExchanges: 2, maxTailTokens, recalledExchanges } })
        .tailExchanges;
    expect([weigh(0), weigh(4), weigh(5), weigh(6)]).toEqual([2, 2, 5, 5]);
    expect(weigh(5, 99)).toBe(2);
  });

  test("where the earliest of what was fetched back is too much, a later one from which the rest fits stays", () => {
    const fetched = [assistant(call("recall", { handle: "plimsoll:0123456789ab" })), results("the hull")];
    const messages = conversation(
      user("go"),
      ...fetched,
      ...step(1),
      ...fetched,
      ...[3, 4, 5].flatMap((at) => step(at)),
    );
    const weigh = (maxTailTokens: number): number =>
      weighHistory(messages, ten, { style, tail: { keepExchanges: 2, maxTailTokens, recalledExchanges: 6 } })
        .tailExchanges;
    expect([weigh(120), weigh(119), weigh(80), weigh(79)]).toEqual([6, 4, 4, 2]);
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
    const edit = renderChunk(span, pieces, { exchanges: 2, by: "test", hash: undefined });
    const after = applyEdits(five, edit ? [edit] : []).messages;
    const weighed = weighHistory(after, ten, { style, tail });
    expect(weighed).toMatchObject({ ledgerTokens: 10, tailTokens: 40 });
    expect(weighed.old.map(({ messages }) => messages)).toEqual([five.slice(3, 5)]);
  });

  test("what is old begins behind the newest segment, also where something that stays parts two", () => {
    const messages = conversation(
      user("ledger 1"),
      assistant(opaque("new")),
      user("ledger 2"),
      ...[1, 2, 3].flatMap((index) => step(index)),
    ).map((message, at) => (at === 0 || at === 2 ? { ...message, id: `ledger:x:${at}` } : message));
    const weighed = weighHistory(messages, ten, { style, tail });
    expect(weighed).toMatchObject({ ledgerTokens: 30, tailTokens: 40, tailExchanges: 2 });
    expect(weighed.old.map(({ first, last }) => [first, last])).toEqual([[3, 4]]);
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

  test("another style words an exchange again, and the same one does not", () => {
    const first = weighHistory(five, ten, { style, tail }).old[1];
    const brief = weighHistory(five, ten, { style: { ...style, isBrief: true }, tail }).old[1];
    expect(brief?.pieces).not.toBe(first?.pieces);
    const again = weighHistory(five, ten, { style, tail }).old[1];
    expect(weighHistory(five, ten, { style, tail }).old[1]?.pieces).toBe(again?.pieces);
    expect(again?.pieces).toEqual(first?.pieces);
  });

  test.each<[string, readonly number[], object, number]>([
    ["as many tokens as were asked for, with the exchange that has the first of them", [5, 5, 5], { keepTokens: 6 }, 1],
    ["exactly so many", [5, 5, 5], { keepTokens: 10 }, 1],
    ["all of fewer", [5, 5, 5], { keepTokens: 99 }, 0],
    ["the last exchange, always", [5, 5, 5], { keepTokens: 1 }, 2],
    ["none of nothing", [], { keepTokens: 1 }, 0],
    ["so many exchanges, where no tokens are asked for", [5, 5, 5], { keepTokens: 0 }, 1],
  ])("of the end stay %s", (_, sizes, more, cut) => {
    expect(findCut(sizes, { ...tail, ...more })).toBe(cut);
  });

  const line = (characters: number): Piece => ({ kind: "line", text: "x".repeat(characters), sections: [] });
  test.each<[string, MessageDraft, readonly Piece[], number]>([
    ["words", user("x".repeat(200)), [line(50)], 0.25],
    ["thinking, by the longer of its words and its signature", assistant(thinking("x".repeat(193))), [line(50)], 0.25],
    ["a call, by its input", assistant(call("Bash", { a: "x".repeat(192) })), [line(50)], 0.25],
    ["a picture", user(image()), [line(1_000)], 0.25],
    ["something unknown", assistant(opaque("new")), [line(1_000)], 0.25],
    ["nothing", user(), [line(50)], 1],
    ["less than what is left of it", user("x"), [line(50)], 1],
  ])("the share that stays of %s", (_, draft, pieces, share) => {
    expect(measureShare(conversation(draft), pieces)).toBe(share);
    expect(measureShare(conversation(draft), [])).toBe(share === 1 && draft.blocks.length === 0 ? 1 : 0);
  });

  test("the share of a result with a picture, of kept blocks and messages, and of what is not worded yet", () => {
    const messages = conversation(assistant(call("Bash")), results(["x".repeat(3_998), image()]));
    expect(measureShare(messages, [line(2_000)])).toBe(0.25);
    expect(measureShare(messages, [line(1_000)], 1_000)).toBe(0.25);
    const [block] = conversation(user("x".repeat(500))).flatMap(({ blocks }) => blocks);
    const kept: readonly Piece[] = block?.kind === "text" ? [{ kind: "block", block }] : [];
    expect(measureShare(conversation(user("x".repeat(2_000))), kept)).toBe(0.25);
    const [message] = conversation(system("x".repeat(500)));
    expect(measureShare(conversation(user("x".repeat(2_000))), message ? [{ kind: "message", message }] : [])).toBe(
      0.25,
    );
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
