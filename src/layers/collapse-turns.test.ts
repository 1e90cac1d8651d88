import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryHistory, dress } from "../../test/support/arbitrary-history.ts";
import { arbitraryGrowth } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  call,
  conversation,
  failed,
  type MessageDraft,
  opaque,
  results,
  system,
  thinking,
  user,
} from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { applyEdits } from "../core/apply-edits.ts";
import { emptyLedger } from "../core/ledger.ts";
import type { Message } from "../core/message.ts";
import { runPipeline } from "../core/pipeline.ts";
import { createCollapseTurns } from "./collapse-turns.ts";
import { isLedger } from "./ledger/render-chunk.ts";

const small = createCollapseTurns({ triggerTokens: 300, leastTokens: 40, keepTokens: 100, keepExchanges: 2 });

function collapse(messages: readonly Message[], layer = small): readonly Message[] {
  return applyEdits(messages, layer.plan(createView(messages))).messages;
}

function ledgerOf(messages: readonly Message[]): readonly Message[] {
  return messages.slice(0, messages.findLastIndex(isLedger) + 1);
}

/** So many exchanges with a result of about 1,000 tokens each. */
function work(exchanges: number): readonly MessageDraft[] {
  return Array.from({ length: exchanges }, (_, index) => [
    assistant(`step ${index}`, call("Bash", { command: `make ${index}` })),
    results(`word${index} `.repeat(500)),
  ]).flat();
}

describe("[R142] [R155] collapsing old turns", () => {
  test("words stay word for word, a call with its result is one line with a handle", () => {
    const messages = conversation(
      user("fix the parser\n  and keep the tests"),
      assistant(thinking("hm"), "I look first.", call("Bash", { command: "ls" }), call("Read", { path: "a.ts" })),
      results("a.ts\nb.ts", failed("no such file")),
      assistant(call("Write", { path: "b.ts", content: "const b = 1;\n".repeat(100) })),
      results("ok"),
      system("be brief"),
      assistant("Done."),
      user("now the docs"),
      assistant("On it."),
    );
    const layer = createCollapseTurns({ now: true, triggerTokens: 0, leastTokens: 0, keepTokens: 0, keepExchanges: 1 });
    const after = collapse(messages, layer);
    const seen = after.flatMap(({ role, blocks }) =>
      blocks.map((block) => `${role}: ${block.kind === "text" ? block.text : block.kind}`),
    );
    expect(seen.join("\n")).toMatchInlineSnapshot(`
      "user: [LEDGER: 4 earlier exchanges, each call in one line; a result comes back word for word by its handle, what was thought by plimsoll:85c9a0c1b328]
      user: fix the parser
        and keep the tests
      user: assistant: I look first.
      - Bash {"command":"ls"} → "a.ts\\nb.ts"
      - Read {"path":"a.ts"} → failed: no such file
      - Write {"path":"b.ts","content":"const b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b = 1;\\nconst b… (1428 chars, plimsoll:2697201bbc99) → ok
      system: be brief
      user: assistant: Done.
      user: now the docs
      assistant: On it."
    `);
  });

  test("every line can be expanded out of the host's history", () => {
    const messages = conversation(user("go"), ...work(8));
    const edits = small.plan(createView(messages));
    const handles = edits.flatMap((edit) => edit.handles);
    expect(handles.length).toBeGreaterThan(5);
    const stored = new Map(small.originals(edits, messages).map(({ handle, text }) => [handle, text]));
    expect([...stored.keys()].sort()).toEqual([...new Set(handles)].sort());
    expect(handles.filter((handle) => small.expand(handle, messages) === stored.get(handle)).length).toBeGreaterThan(4);
    expect(small.expand("plimsoll:000000000000", messages)).toBeUndefined();
  });

  test("a longer history begins with the very same ledger", { timeout: 60_000 }, () => {
    let written = 0;
    fc.assert(
      fc.property(
        arbitraryGrowth({ maxRounds: 10 }),
        fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 16 }),
        ({ earlier, later }, seeds) => {
          const before = ledgerOf(collapse(dress(earlier, seeds)));
          written += before.length;
          expect(collapse(dress(later, seeds)).slice(0, before.length)).toEqual(before);
        },
      ),
      { numRuns: 1000 },
    );
    expect(written).toBeGreaterThan(300);
  });

  test("with or without what was decided before, the same comes out", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(
        arbitraryGrowth({ maxRounds: 10 }),
        fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 16 }),
        (growth, seeds) => {
          const [earlier, later] = [dress(growth.earlier, seeds), dress(growth.later, seeds)];
          const { countTokens } = createView(later);
          const common = { layers: [small], targetTokens: 0, countTokens, maxPasses: 1 };
          const { ledger } = runPipeline({ ...common, messages: earlier, ledger: emptyLedger });
          const replayed = runPipeline({ ...common, messages: later, ledger });
          expect(replayed.messages).toEqual(collapse(later));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("it happens seldom: not again until as much can go once more", () => {
    const layer = createCollapseTurns({ triggerTokens: 6_000, leastTokens: 3_000, keepTokens: 1_000 });
    const common = { layers: [layer], targetTokens: Number.POSITIVE_INFINITY };
    let ledger = emptyLedger;
    const collapsedAt: number[] = [];
    for (let exchanges = 1; exchanges <= 60; exchanges++) {
      const messages = conversation(user("go"), ...work(exchanges));
      const result = runPipeline({ ...common, messages, ledger, countTokens: createView(messages).countTokens });
      if (result.ledger !== ledger) collapsedAt.push(exchanges);
      ({ ledger } = result);
    }
    const pauses = collapsedAt.slice(1).map((at, index) => at - (collapsedAt[index] ?? 0));
    expect(collapsedAt.length).toBeGreaterThan(4);
    expect(Math.min(...pauses)).toBeGreaterThan(2);
  });

  test("what nobody understands keeps its whole exchange, and the ledger goes on around it", () => {
    const messages = conversation(
      user("go"),
      ...work(3),
      assistant(opaque("server_tool_use"), call("Bash")),
      results("kept ".repeat(200)),
      ...work(6),
    );
    const after = collapse(
      messages,
      createCollapseTurns({ now: true, triggerTokens: 0, leastTokens: 0, keepTokens: 0 }),
    );
    expect(after.filter(isLedger)).toHaveLength(2);
    expect(after).toContain(messages[7]);
    expect(after).toContain(messages[8]);
  });

  test("by default nothing happens below 60,000 tokens, and the last four exchanges stay", () => {
    const layer = createCollapseTurns();
    expect(layer.plan(createView(conversation(user("go"), ...work(30))))).toEqual([]);
    const messages = conversation(user("go"), ...work(90));
    const after = collapse(messages, layer);
    expect(after.length).toBeLessThan(messages.length / 2);
    expect(after.slice(-8)).toEqual(messages.slice(-8));
  });

  test("[R144] no single pass over everything: each part of the history is collapsed once and for all", () => {
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const once = collapse(messages);
        expect(collapse(once)).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  test.each(["triggerTokens", "leastTokens", "keepTokens", "keepExchanges"])("bad options are named: %s", (name) => {
    expect(() => createCollapseTurns({ [name]: -1 })).toThrow(new RegExp(`^${name} must be a number of at least`));
  });
});
