/** If red: a request is shortened where nothing needs it, or sent over its limit. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import type { Message } from "../core/message.ts";
import { estimateMessageTokens } from "../models/tokens.ts";
import { createRequestPolicy, type RequestComing } from "./request-coming.ts";

const countTokens = (message: Message): number => estimateMessageTokens(message, "dense");
const vocabulary = {
  interpretCall: (tool: string, { path = "", command = "" }: JsonObject) => ({
    kind: tool === "Read" ? "read" : "run",
    path: String(path),
    command: String(command),
  }),
};

/** A call and its result. */
function exchange(index: number, characters: number, more: { tool?: string; input?: JsonObject } = {}): Message[] {
  const { tool = "Bash", input = { command: `survey ${index}` } } = more;
  const callId = `c${index}`;
  const text = `plank ${index}\n`.repeat(characters / 8);
  return [
    { id: `a${index}`, role: "assistant", blocks: [{ kind: "toolCall", id: `a${index}:0`, callId, tool, input }] },
    {
      id: `u${index}`,
      role: "user",
      blocks: [{ kind: "toolResult", id: `u${index}:0`, callId, isError: false, parts: [{ kind: "text", text }] }],
    },
  ];
}
const asked: Message = {
  id: "p",
  role: "user",
  blocks: [{ kind: "text", id: "p:0", text: "Survey the hull.", author: "person" }],
};
const row = (count: number, characters = 3_200): readonly Message[] => [
  asked,
  ...Array.from({ length: count }, (_, index) => exchange(index, characters)).flat(),
];
const coming = (messages: readonly Message[], more: Partial<RequestComing> = {}): RequestComing => ({
  messages,
  newFrom: messages.length - 2,
  targetTokens: 150_000,
  countTokens,
  ...more,
});
const plan = createRequestPolicy({ policy: "balanced", vocabulary });
const targets = (given: RequestComing, step = plan): readonly string[] =>
  step(given).edits.map((edit) => (edit.kind === "replaceBlock" ? edit.block : `${edit.first}-${edit.last}`));

describe("a request that is coming", () => {
  it("is left as it is, the identical array, where nothing is to be done", () => {
    const messages = row(3);
    expect(plan(coming(messages))).toMatchObject({ edits: [], why: "" });
    expect(plan(coming(messages)).messages).toBe(messages);
  });

  it("folds what was never sent, and nothing that was", () => {
    const messages = row(3, 17_000);
    expect(targets(coming(messages))).toEqual(["u2:0"]);
    expect(targets(coming(messages, { newFrom: 1 }))).toEqual(["u0:0", "u1:0", "u2:0"]);
  });

  it.each([
    ["Read", { path: ".plimsoll/artifacts/artifact-1-Bash.md" }],
    ["Bash", { command: "plimsoll artifacts show plimsoll:0123456789ab" }],
    ["mcp__plimsoll__recall", {}],
    ["recall", { handle: "plimsoll:0123456789ab" }],
  ])("never folds an original that %s has just fetched", (tool, input) => {
    const messages = [asked, ...exchange(0, 40_000, { tool, input })];
    const folds = createRequestPolicy({ vocabulary });
    expect(targets(coming(messages), folds)).toEqual([]);
    expect(targets(coming([asked, ...exchange(0, 40_000)]), folds)).toEqual(["u0:0"]);
  });

  it("collapses once carrying has cost what rewriting costs, says so, and names every original", () => {
    const { edits, messages, why, originals } = plan(coming(row(40)));
    expect(why).toMatch(/^resending \d+k tokens of old messages has cost as much/);
    expect(messages.length).toBeLessThan(20);
    expect(originals().map(({ handle }) => handle)).toEqual(edits.flatMap(({ handles }) => handles));
  });

  it("collapses above its line, and at any time where a compaction was asked for", () => {
    const tokens = row(11, 3_200).reduce((sum, message) => sum + countTokens(message), 0);
    const tight = { targetTokens: tokens - 1 };
    expect(targets(coming(row(11, 3_200), { targetTokens: tokens }))).toEqual([]);
    expect(plan(coming(row(11, 3_200), tight)).why).toBe("the request is above the load line");
    expect(plan(coming(row(11), { isAsked: true })).why).toBe("a compaction was requested");
  });

  it("keeps what was read with the request before, however heavy, unless it would not fit", () => {
    const heavy = exchange(40, 320_000, { tool: "Read", input: { path: "hull.md" } });
    const messages = [...row(40), ...heavy, ...exchange(41, 800)];
    const isKept = (targetTokens: number): boolean =>
      plan(coming(messages, { targetTokens })).messages.some(({ id }) => id === "u40");
    const tokens = heavy.reduce((sum, message) => sum + countTokens(message), 0);
    expect(tokens).toBeGreaterThan(40_000);
    expect(targets(coming(messages))).not.toEqual([]);
    expect([isKept(400_000), isKept(tokens - 1)]).toEqual([true, false]);
  });

  it("collapses nothing without a policy, where somebody else clears, or where it is switched off", () => {
    const due = coming(row(40));
    expect(targets(due, createRequestPolicy({ vocabulary }))).toEqual(["u39:0"]);
    expect(targets({ ...due, isClearedElsewhere: true })).toEqual([]);
    expect(targets(due, createRequestPolicy({ policy: "balanced", vocabulary, collapse: false }))).toEqual([]);
  });

  it("changes nothing before what is bound to it, at birth neither", () => {
    const messages = row(40, 17_000);
    expect(targets(coming(messages)).length).toBeGreaterThan(1);
    expect(targets(coming(messages, { boundTo: messages.length - 1 }))).toEqual(["u39:0"]);
    expect(targets(coming(messages, { newFrom: 1, boundTo: messages.length }))).toEqual([]);
  });

  it("keeps less word for word below a low line, and what the caller sets as it was set", () => {
    const low = coming(row(12), { targetTokens: 3_000, isAsked: true });
    const spared = createRequestPolicy({ policy: "balanced", vocabulary, collapse: { maxTailTokens: 40_000 } });
    expect(plan(low).messages.length).toBeLessThan(spared(low).messages.length);
  });
});
