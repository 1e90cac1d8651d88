/** If red: decisions of an earlier version are lost, or damaged ones are carried out. */
import { describe, expect, it } from "vitest";
import { editsOf } from "../../../../test/support/build.ts";
import { emptyCacheState } from "../../../models/economics/cache-state.ts";
import { parseFacts, parseItems } from "./gateway-store.ts";

const EDIT = editsOf([]).replaceBlock("a", "short");
const CALL = { at: 0, callId: "c", tool: "t", input: {}, parts: [{ kind: "text", text: "x" }], isError: false };
const ROUND = { shown: [{ hash: "h", mayBeAbsent: false }], calls: [CALL] };
const RECALLED = { kind: "recalled", behind: "", rounds: [ROUND] };
const recalled = (more: object) => ({ ...RECALLED, rounds: [{ ...ROUND, calls: [{ ...CALL, ...more }] }] });

describe("stored decisions", () => {
  it("come back as they are", () => {
    const items = [EDIT, RECALLED, recalled({ needs: ["h"], parts: [{ kind: "image" }] }), { ...RECALLED, rounds: [] }];
    expect(parseItems(items)).toEqual({ items, skipped: 0 });
    expect(parseItems([])).toEqual({ items: [], skipped: 0 });
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["a word", "recalled"],
    ["another kind", { ...RECALLED, kind: "other" }],
    ["no place", { ...RECALLED, behind: 1 }],
    ["no rounds", { ...RECALLED, rounds: {} }],
    ["a round that is none", { ...RECALLED, rounds: [ROUND, 7] }],
    ["a round that shows nothing", { ...RECALLED, rounds: [{ calls: [] }] }],
    ["a round without calls", { ...RECALLED, rounds: [{ shown: [] }] }],
    ["a shown block without its hash", { ...RECALLED, rounds: [{ shown: [ROUND.shown[0], { hash: 1 }], calls: [] }] }],
    ["a shown block that is none", { ...RECALLED, rounds: [{ shown: [7], calls: [] }] }],
    ["a call that is none", { ...RECALLED, rounds: [{ ...ROUND, calls: [CALL, 7] }] }],
    ["a call without input", recalled({ input: "x" })],
    ["a call without its result", recalled({ parts: "x" })],
    ["a call without a place", recalled({ at: "0" })],
    ["a call without an id", recalled({ callId: 1 })],
    ["a call without a tool", recalled({ tool: 1 })],
    ["needs that are no texts", recalled({ needs: [1] })],
    ["a part that is none", recalled({ parts: [CALL.parts[0], 7] })],
    ["a text without words", recalled({ parts: [{ kind: "text", text: 1 }] })],
    ["an edit of the future", { ...EDIT, kind: "replaceEverything" }],
  ])("are skipped one by one where one has %s", (_fault, item) => {
    expect(parseItems([EDIT, item, RECALLED])).toEqual({ items: [EDIT, RECALLED], skipped: 1 });
  });

  it("are one that was not understood where they are no list", () => {
    expect(parseItems({ 0: EDIT })).toEqual({ items: [], skipped: 1 });
  });
});

describe("stored facts", () => {
  const cache = {
    model: "m",
    cachedTokens: 1,
    cached1hTokens: 2,
    cached5mTokens: 3,
    ttlMs: 4,
    lastUsedMs: 5,
    share1h: 0.5,
  };
  const facts = { cache, requests: 6, baseTokens: 7, lastSentMessage: "message", lastSentHash: "hash", outlived: 8 };

  it("come back as they are, and as far as an earlier version knew them", () => {
    expect(parseFacts(facts)).toEqual(facts);
    const older = { cache: {}, requests: 0, baseTokens: 0, lastSentMessage: "" };
    expect(parseFacts(older)).toEqual({
      ...older,
      cache: { ...emptyCacheState, model: "", lastUsedMs: undefined },
      lastSentHash: "",
      outlived: 0,
    });
    expect(parseFacts({ ...facts, cache: { ...cache, ttlMs: 0 } })?.cache.ttlMs).toBe(emptyCacheState.ttlMs);
  });

  it.each([
    null,
    [],
    { ...facts, cache: 7 },
    { ...facts, requests: "6" },
    { ...facts, baseTokens: null },
    { ...facts, lastSentMessage: 1 },
  ])("are none where they are %j", (value) => {
    expect(parseFacts(value)).toBeUndefined();
  });
});
