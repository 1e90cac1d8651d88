/** If red: the ledger outgrows its room, loses a segment, or weighs more than what it replaces. */
import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  conversation,
  type MessageDraft,
  opaque,
  results,
  user,
} from "../../../test/support/build.ts";
import { createView } from "../../../test/support/layer-contract.ts";
import { ledgerStyle } from "../../../test/support/ledger-style.ts";
import { applyEdits } from "../../core/apply-edits.ts";
import type { Message } from "../../core/message.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { type CollapsePlan, planCollapse } from "../collapse-exchanges.ts";
import { listOriginals } from "../history/list-originals.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { renderEntry } from "./ledger-text.ts";
import { isLedger } from "./render-chunk.ts";
import { weighHistory } from "./weigh-history.ts";

const isThin = ({ id }: Message): boolean => id.endsWith(":thin");
const style: LedgerStyle = ledgerStyle(100);
const { countTokens } = createView([]);
const endless: CollapsePlan = {
  by: "test",
  hash: undefined,
  thinAfterExchanges: Number.POSITIVE_INFINITY,
  maxLedgerTokens: Number.POSITIVE_INFINITY,
  oldWordsCharacters: style.oldWordsCharacters,
  countTokens,
};

function planOf(messages: readonly Message[], plan: CollapsePlan = endless, more: Partial<LedgerStyle> = {}) {
  const told = { ...style, ...more };
  const history = weighHistory(messages, countTokens, { style: told, tail: { keepExchanges: 1, maxTailTokens: 0 } });
  return planCollapse(messages, history, plan);
}

function collapse(
  messages: readonly Message[],
  plan: CollapsePlan = endless,
  more: Partial<LedgerStyle> = {},
): readonly Message[] {
  const { messages: after, refused } = applyEdits(messages, planOf(messages, plan, more));
  expect(refused).toEqual([]);
  return after;
}

function work(from: number, to: number, output = "word ".repeat(300)): readonly MessageDraft[] {
  return Array.from({ length: to - from }, (_, index) => [
    assistant(call("Bash", { command: `make ${from + index}` })),
    results(output),
  ]).flat();
}

/** The same conversation, so many exchanges long: what stands in front of the rest is what was made of it so far. */
function grow(before: readonly Message[], all: readonly Message[], from: number, to: number): readonly Message[] {
  return [...before, ...all.slice(1 + from * 2, 1 + to * 2)];
}

const all = conversation(user("go"), ...work(0, 12));

function textOf(messages: readonly Message[]): string {
  return messages.flatMap(({ blocks }) => blocks.map((block) => (block.kind === "text" ? block.text : ""))).join("\n");
}

describe("planning a collapse", () => {
  test("all that is old becomes one segment with one handle", () => {
    const edits = planOf(all.slice(0, 9));
    expect(edits).toMatchObject([{ first: "m1", last: "m7", by: "test" }]);
    expect(edits[0]?.handles).toHaveLength(1);
    expect(collapse(all.slice(0, 9)).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("what must stay as it is parts the segments, and each has a handle of its own", () => {
    const messages = conversation(user("go"), ...work(0, 2), assistant(opaque("new")), user("more"), ...work(2, 5));
    const after = collapse(messages);
    expect(after.filter(isLedger)).toHaveLength(2);
    expect(after).toContain(messages[5]);
    expect(after).toContain(messages[6]);
    expect(new Set(planOf(messages).flatMap(({ handles }) => handles)).size).toBe(2);
  });

  test("a result with parts that nobody understands goes with its exchange: named in its line, whole behind the handle", () => {
    const paper = { type: "document", title: "plan.pdf", source: { type: "base64", data: "x".repeat(5000) } };
    const messages = conversation(
      user("go"),
      assistant(call("ToolSearch", { query: "tasks" })),
      results([opaque("tool_reference", { tool_name: "TaskCreate" })]),
      assistant(call("Read", { file_path: "plan.pdf" })),
      results(["one page", { kind: "opaque", type: "document", raw: paper }]),
      ...work(0, 5),
    );
    const edits = planOf(messages);
    const text = JSON.stringify(applyEdits(messages, edits).messages.filter(isLedger));
    expect(text).toContain("[tool_reference TaskCreate]");
    expect(text).toContain("[document plan.pdf]");
    expect(text).not.toContain("xxx");
    const originals = listOriginals(edits, messages).map((original) => original.text);
    expect(originals.join("")).toContain("x".repeat(5000));
  });

  test("a segment that would weigh no less than what it stands for is not made", () => {
    expect(planOf(conversation(user("go"), assistant("ok"), user("and"), assistant("ok")))).toEqual([]);
    expect(planOf([])).toEqual([]);
  });

  test("a segment grows thin when so many exchanges stand behind it, and only with the next collapse", () => {
    const plan = { ...endless, thinAfterExchanges: 6 };
    const first = collapse(all.slice(0, 9), plan);
    const thinned = (from: number, to: number): readonly Message[] =>
      collapse(grow(first, all, from, to), plan).filter(isThin);
    // Behind the first segment: the last exchange of the four, and those that came since.
    expect(thinned(4, 8)).toHaveLength(0);
    expect(thinned(4, 9)).toHaveLength(1);
    expect(textOf(thinned(4, 9))).toContain(
      renderEntry({
        kind: "leftOut",
        lines: ["Bash make 0", "make 1", "make 2"].map((label, at) => ({ first: at + 1, last: at + 1, label })),
      }),
    );
    expect(planOf(first, { ...plan, thinAfterExchanges: 1 })).toEqual([]);
  });

  test("the ledger keeps within its room, whatever was pasted and however often it grows: the oldest is brief first", () => {
    const plan = { ...endless, maxLedgerTokens: 900 };
    const pasted = conversation(
      ...Array.from({ length: 12 }, (_, index) => [
        user(`part ${index} ${"paste ".repeat(600)}`),
        assistant(call("Bash", { command: `make ${index}` })),
        results("word ".repeat(300)),
      ]).flat(),
      user("go on"),
      assistant("ok"),
    );
    let after: readonly Message[] = [];
    for (let from = 0; from < pasted.length; from += 9) {
      after = collapse([...after, ...pasted.slice(from, from + 9)], plan);
      const tokens = after.filter(isLedger).reduce((sum, message) => sum + countTokens(message), 0);
      expect(tokens).toBeLessThanOrEqual(plan.maxLedgerTokens);
    }
    const segments = after.filter(isLedger).map((message) => textOf([message]));
    const numbered = /^\d+ (?!person)/m;
    expect(segments[0]).not.toMatch(numbered);
    expect(segments.at(-1)).toMatch(numbered);
    expect(textOf(collapse(pasted)).length).toBeGreaterThan(12 * 3600);
  });

  test("segments behind count with all the exchanges they stand for", () => {
    const plan = { ...endless, thinAfterExchanges: 8 };
    const second = collapse(grow(collapse(all.slice(0, 9), plan), all, 4, 8), plan);
    const third = collapse(grow(second, all, 8, 12), plan);
    expect(second.filter(isThin)).toHaveLength(0);
    expect(third.filter(isLedger).map(isThin)).toEqual([true, false, false]);
    expect(collapse(third, plan)).toBe(third);
  });

  test("a task in an old segment is brief once a newer segment holds another, and stays at length until then", () => {
    const planned = (task: string) => [
      assistant(call("ExitPlanMode", { plan: task.repeat(140) })),
      results("User has approved your plan."),
    ];
    const told = { vocabulary: claudeCodeVocabulary, planCharacters: 4_000 };
    const grown = (last: readonly MessageDraft[]) => {
      const messages = conversation(user("go"), ...planned("tar the hull "), ...work(0, 6), ...last, ...work(6, 12));
      const early = collapse(messages.slice(0, 15), endless, told);
      return textOf(
        collapse([...early, ...messages.slice(15)], { ...endless, thinAfterExchanges: 2 }, told).filter(isLedger),
      );
    };
    const [kept, replaced] = [grown([]), grown(planned("oil the deck "))].map(
      (text) => text.split("tar the hull").length,
    );
    expect(kept).toBeGreaterThan(100);
    expect(replaced).toBeLessThan(40);
  });

  test("the older a segment is, the shorter are its lines", () => {
    const plan = { ...endless, thinAfterExchanges: 6, oldWordsCharacters: 60 };
    const long = conversation(
      user("go"),
      assistant(`The plank is loose${" and the seam leaks".repeat(20)}.`, call("Bash", { command: "make" })),
      results("word ".repeat(300)),
      ...work(0, 32),
    );
    let messages: readonly Message[] = long.slice(0, 1);
    const lengths = new Set<number>();
    for (let at = 0; at < 28; at += 4) {
      messages = collapse(grow(messages, long, at, at + 4), plan);
      const found = textOf(messages).match(/^1 assistant: .*$/m)?.[0] ?? "";
      lengths.add(found.length);
    }
    expect([...lengths]).toEqual([expect.any(Number), 60, 30]);
    expect([...lengths][0]).toBeGreaterThan(60);
  });

  test("over many collapses every id is there once and the first words stay", () => {
    const plan = { ...endless, thinAfterExchanges: 1, standing: () => "open: all" };
    const long = conversation(user("go"), ...work(0, 32));
    let messages: readonly Message[] = long.slice(0, 1);
    for (let at = 0; at < 32; at += 4) {
      messages = collapse(grow(messages, long, at, at + 4), plan);
      const ids = messages.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(textOf(messages)).toContain("\nperson: go\n");
    }
    expect(messages.filter(isThin).length).toBeGreaterThan(5);
  });

  test("what the entry point says stands behind the newest segment, and takes the place of what it said last", () => {
    const say = (words: string): CollapsePlan => ({ ...endless, standing: () => words });
    const first = collapse(all.slice(0, 9), say("open: one"));
    expect(textOf(first.slice(1, 2))).toBe("open: one");
    const second = collapse(grow(first, all, 4, 8), say("open: two"));
    expect(textOf(second)).not.toContain("open: one");
    expect(textOf(second.slice(2, 3))).toBe("open: two");
    expect(textOf(collapse(grow(second, all, 8, 12), say("")))).not.toContain("open:");
  });

  test("what the entry point says never takes all that the collapse saves", () => {
    const weigh = (messages: readonly Message[]): number => createView(messages).tokens;
    const messages = all.slice(0, 5);
    const saved = weigh(messages) - weigh(collapse(messages));
    expect(saved).toBeGreaterThan(100);
    for (const times of [1, saved / 2, saved - 20, saved, saved * 2]) {
      const after = collapse(messages, { ...endless, standing: () => "x ".repeat(Math.max(1, times)) });
      expect(weigh(after)).toBeLessThan(weigh(messages));
    }
  });
});
