/** If red: the person's words or a handle are lost when old exchanges become a ledger. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryHistory, dress, historyVocabulary } from "../../test/support/arbitrary-history.ts";
import { arbitraryGrowth } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  call,
  conversation,
  failed,
  type MessageDraft,
  opaque,
  reminder,
  results,
  system,
  thinking,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { applyEdits } from "../core/apply-edits.ts";
import type { JsonObject } from "../core/json.ts";
import { emptyLedger, unknownOccasion } from "../core/layer.ts";
import type { Message } from "../core/message.ts";
import { runPipeline } from "../core/pipeline.ts";
import { createCollapseExchanges } from "./collapse-exchanges.ts";
import { renderHeading, renderSaid } from "./ledger/ledger-text.ts";
import { isLedger } from "./ledger/render-chunk.ts";
import { parseSections } from "./ledger/sections.ts";

const tight = { leastTokens: 40, maxTailTokens: 400, keepExchanges: 2 };
const small = createCollapseExchanges(tight);
const now = createCollapseExchanges({ now: true, keepExchanges: 1, vocabulary: historyVocabulary });
const endless = Number.POSITIVE_INFINITY;

function collapse(messages: readonly Message[], layer = small): readonly Message[] {
  return applyEdits(messages, layer.plan(createView(messages))).messages;
}

/** So many exchanges with a result of about 1,000 tokens each. */
function work(exchanges: number): readonly MessageDraft[] {
  return Array.from({ length: exchanges }, (_, index) => [
    assistant(`step ${index}`, call("Bash", { command: `make ${index}` })),
    results(`word${index} `.repeat(500)),
  ]).flat();
}

const session = conversation(
  user("fix the parser\n  and keep the tests"),
  assistant(thinking("hm"), "I look first.", call("Bash", { command: "ls" }), call("Read", { path: "a.ts" })),
  results("a.ts\nb.ts", failed("no such file")),
  assistant("Two things:\nfirst b.", call("Write", { path: "b.ts", content: "const b = 1;\n".repeat(100) })),
  results("ok"),
  user(reminder(`mind the style ${"guide ".repeat(100)}`)),
  assistant(call("Read", { path: "c.ts" })),
  results("line\n".repeat(300)),
  system("be brief"),
  assistant("Done."),
  user("now the docs"),
  assistant("On it."),
);

describe("[R142] [R155] collapsing old exchanges", () => {
  test("the handle of a picture stays in sight, however long the result was that held it", () => {
    const note = "[picture plimsoll:0123456789ab, image/png, 12 KB: recall shows it]";
    const messages = conversation(
      user("look"),
      assistant(call("Read", { file_path: "a.png" }), call("Edit", { file_path: "b.ts" })),
      results(`${"a line of words\n".repeat(40)}${note}`, note),
      assistant("next"),
      user("go on"),
      assistant("done"),
    );
    const ledger = JSON.stringify(collapse(messages, now).filter(isLedger));
    expect(ledger.match(/\[picture plimsoll:0123456789ab/g)).toHaveLength(2);
  });

  test("a ledger with little room reads as if what it leaves out had been worded first", () => {
    const folded = `[FOLDED: Bash output — 900 lines, 40000 chars]\nPreview (log):\n${"one more line\n".repeat(80)}Full output: plimsoll:0123456789ab`;
    const outputs = [
      "words of a list",
      "map(a => a.b)",
      "see plimsoll:0123456789ab",
      "job → failed: no",
      "a =\u001b[0m> b",
    ];
    const texts = [...outputs.map((text) => `${text}\n`.repeat(80)), folded, folded];
    const commands = [...outputs.map((_, at) => `show ${at}`), "tail log", "gh pr view 5"];
    const messages = conversation(
      user("go"),
      ...Array.from({ length: 9 }, () => [
        assistant("Found it.", ...commands.map((command, at) => call("Bash", { command: `${command} ${at}` }))),
        results(...texts),
      ]).flat(),
    );
    const vocabulary = {
      interpretCall: (_: string, { command }: JsonObject) => ({ kind: "run", command: `${command}` }),
    };
    const view = createView(messages, 5_000);
    for (const depth of ["all", "needed"] as const) {
      const heavy = [];
      for (let maxLedgerTokens = 200; maxLedgerTokens < 3_000; maxLedgerTokens += 400) {
        const layer = createCollapseExchanges({ ...tight, depth, maxLedgerTokens, vocabulary });
        const edits = layer.collapse(view, layer.weigh(view).history);
        expect(layer.plan(view)).toEqual(edits);
        const quick = layer.collapseHeavy(view);
        if (!quick) continue;
        heavy.push(quick.edits);
        expect(quick.edits).toEqual(edits);
      }
      expect(heavy.length).toBeGreaterThan(1);
      expect(heavy.length).toBeLessThan(7);
    }
  });

  test("[R58] a code block above 200 lines in an answer is shown by its outline, the words around it stay, the number has it whole", () => {
    const code = Array.from({ length: 201 }, (_, n) => `export const plank${n} = ${n};`).join("\n");
    const said = `Here is the deck:\n\`\`\`ts\n${code}\n\`\`\`\nCaulk it before you paint it.`;
    const messages = conversation(user("build a deck"), assistant(said), user("go on"), assistant("done"));
    const [original] = now.originals(now.plan(createView(messages)), messages);
    const ledger = JSON.stringify(collapse(messages, now).filter(isLedger));
    expect(ledger).toMatch(
      /1 assistant: Here is the deck: \[FOLDED: code block output — 203 lines, \d+ chars\] Preview \(code\): /,
    );
    expect(ledger).toContain(`Caulk it before you paint it. (${said.length} chars)`);
    expect(ledger).not.toContain("plank150");
    expect(parseSections(original?.text ?? "")?.get("1")).toBe(said);
  });

  test("the person's words stay word for word, a call with its result is one numbered line, one handle fetches them all", () => {
    const [edit] = now.plan(createView(session));
    const seen = collapse(session, now).flatMap(({ role, blocks }) =>
      blocks.map((block) => `${role}: ${block.kind === "text" ? block.text : block.kind}`),
    );
    const [heading = "", ...lines] = seen.join("\n").split("\n");
    expect(heading).toBe(`user: ${renderHeading(5, edit?.handles[0])}`);
    expect(lines.join("\n")).toMatchInlineSnapshot(`
      "person: fix the parser
          and keep the tests
      assistant: I look first.
      1 Bash ls → "a.ts\\nb.ts"
      2 Read a.ts → failed: no such file
      3 assistant: Two things: first b.
      4 Write b.ts: const b = 1;
      5 note: mind the style guide guide guide guide guide guide guide guide guide guide guid… (615 chars)
      6 Read c.ts → (300 lines)
      system: be brief
      user: assistant: Done.
      person: now the docs
      assistant: On it."
    `);
  });

  test("a number fetches what its line stands for, with an i its input, and the thoughts have a name of their own", () => {
    const [original, ...more] = now.originals(now.plan(createView(session)), session);
    expect(more).toEqual([]);
    const sections = parseSections(original?.text ?? "");
    expect([...(sections?.keys() ?? [])].sort()).toEqual(
      ["1", "1i", "2", "2i", "3", "4", "4i", "5", "6", "6i", "thoughts"].sort(),
    );
    expect(sections?.get("1")).toBe("a.ts\nb.ts");
    expect(sections?.get("3")).toBe("Two things:\nfirst b.");
    expect(sections?.get("4i")).toBe(JSON.stringify({ path: "b.ts", content: "const b = 1;\n".repeat(100) }));
    expect(sections?.get("6")).toBe("line\n".repeat(300));
    expect(sections?.get("thoughts")).toContain('"text":"hm"');
  });

  test("the number in front of a line is the name of its sections, in every conversation", () => {
    let lines = 0;
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const edits = now.plan(createView(messages));
        const stored = new Map(now.originals(edits, messages).map(({ handle, text }) => [handle, parseSections(text)]));
        for (const edit of edits) {
          if (edit.kind !== "replaceSpan") continue;
          const sections = stored.get(edit.handles[0] ?? "");
          for (const [number, tool] of listNumberedCalls(edit.messages)) {
            const input = JSON.parse(sections?.get(`${number}i`) ?? "null");
            expect(JSON.stringify(messages)).toContain(`"tool":"${tool}","input":${JSON.stringify(input)}`);
            lines++;
          }
        }
      }),
      { numRuns: tries(40, 200) },
    );
    expect(lines).toBeGreaterThan(tries(0, 200));
  });

  test("with its ledger a longer history begins with the very same segments", () => {
    let written = 0;
    fc.assert(
      fc.property(
        arbitraryGrowth({ maxRounds: 10 }),
        fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 16 }),
        (growth, seeds) => {
          const [earlier, later] = [dress(growth.earlier, seeds), dress(growth.later, seeds)];
          const { countTokens } = createView(later);
          const common = { layers: [small], targetTokens: 0, countTokens, maxPasses: 1 };
          const first = runPipeline({ ...common, messages: earlier, ledger: emptyLedger });
          const second = runPipeline({ ...common, messages: later, ledger: first.ledger });
          const before = first.messages.slice(0, first.messages.findLastIndex(isLedger) + 1);
          written += before.length;
          expect(second.messages.slice(0, before.length)).toEqual(before);
        },
      ),
      { numRuns: tries(40, 500) },
    );
    expect(written).toBeGreaterThan(tries(0, 150));
  });

  test("it happens seldom: when carrying has cost what rewriting costs, and then not for a while", () => {
    const layer = createCollapseExchanges({ leastTokens: 1_000 });
    const all = conversation(user("go"), ...work(80));
    const { countTokens } = createView(all);
    let ledger = emptyLedger;
    const collapsedAt: number[] = [];
    for (let exchanges = 1; exchanges <= 80; exchanges++) {
      const messages = all.slice(0, 1 + exchanges * 2);
      const result = runPipeline({ layers: [layer], targetTokens: endless, messages, ledger, countTokens });
      if (result.ledger !== ledger) collapsedAt.push(exchanges);
      ({ ledger } = result);
    }
    const pauses = collapsedAt.slice(1).map((at, index) => at - (collapsedAt[index] ?? 0));
    expect(collapsedAt.length).toBeGreaterThan(3);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(8);
  });

  test("a cold cache and a view above the line are reasons to do it at once; the pipeline tells of the occasion", () => {
    const messages = conversation(user("go"), ...work(12));
    const { countTokens } = createView(messages);
    const layers = [createCollapseExchanges({ patience: 1_000, mostInVain: 1 })];
    const common = { messages, ledger: emptyLedger, layers, countTokens };
    const isMade = (more: Partial<Parameters<typeof runPipeline>[0]>): boolean =>
      runPipeline({ ...common, targetTokens: endless, ...more }).ledger !== emptyLedger;
    expect(isMade({})).toBe(false);
    expect(isMade({ occasion: unknownOccasion })).toBe(false);
    expect(isMade({ occasion: { ...unknownOccasion, isCold: true } })).toBe(true);
    expect(isMade({ targetTokens: 5_000 })).toBe(true);
  });

  test("what nobody understands keeps its whole exchange, and the ledger goes on around it", () => {
    const messages = conversation(
      user("go"),
      ...work(3),
      assistant(opaque("server_tool_use"), call("Bash")),
      results("kept ".repeat(200)),
      ...work(6),
    );
    const after = collapse(messages, now);
    expect(after.filter(isLedger)).toHaveLength(2);
    expect(after).toContain(messages[7]);
    expect(after).toContain(messages[8]);
  });

  test("words that look like lines of the ledger stay words, over collapses and thinning", () => {
    const words = `done:\n1 Read a.ts → (3 lines)\n${renderHeading(99)}\n2 note: gone "x"`;
    const layer = createCollapseExchanges({ now: true, keepExchanges: 1, thinAfterExchanges: 1 });
    const messages = conversation(user("go"), assistant(words), user(words), ...work(20));
    const edits = layer.plan(createView(messages.slice(0, 13)));
    const once = applyEdits(messages, edits).messages;
    const twice = collapse(once, layer);
    const shown = twice.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
    expect(shown.join("\n")).toContain(`\n${renderSaid("person", words)}\n`);
    expect(shown.join("\n")).toContain(`1 ${renderSaid("assistant", words.replaceAll("\n", " "))}`.slice(0, 60));
    const [original] = layer.originals(edits, messages);
    expect(parseSections(original?.text ?? "")?.get("1")).toBe(words);
  });

  test("by default nothing happens in a short session, and the last three exchanges stay", () => {
    const layer = createCollapseExchanges();
    const plan = (messages: readonly Message[]) => layer.plan(createView(messages, endless));
    expect(plan(conversation(user("go"), ...work(9)))).toEqual([]);
    const messages = conversation(user("go"), ...work(40));
    const { messages: after } = applyEdits(messages, plan(messages));
    expect(after.slice(1)).toEqual(messages.slice(-6));
  });

  test("[R144] no single pass over everything: each part of the history is collapsed once and for all", () => {
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const once = collapse(messages);
        expect(collapse(once)).toBe(once);
      }),
      { numRuns: tries(40, 200) },
    );
  });

  test.each([
    "keepExchanges",
    "maxTailTokens",
    "patience",
    "leastTokens",
    "wordsCharacters",
    "oldWordsCharacters",
    "answerCharacters",
    "briefCharacters",
    "thinAfterExchanges",
  ])("bad options are named: %s", (name) => {
    expect(() => createCollapseExchanges({ [name]: -1 })).toThrow(new RegExp(`^${name} must be a number of at least`));
  });

  test("a policy is one of three names, and what is set next to it stands", () => {
    // @ts-expect-error: what a caller without a compiler may pass
    expect(() => createCollapseExchanges({ policy: "greedy" })).toThrow(
      "policy must be one of thrifty, balanced, cautious, not greedy",
    );
    // @ts-expect-error: likewise
    expect(() => createCollapseExchanges({ policy: "constructor" })).toThrow("policy must be one of");
    const messages = conversation(user("go"), ...work(40));
    const stays = (options: Parameters<typeof createCollapseExchanges>[0]): number =>
      collapse(messages, createCollapseExchanges(options)).length - 1;
    expect([stays({ policy: "cautious" }), stays({ policy: "cautious", keepExchanges: 2 })]).toEqual([16, 4]);
  });
});

/** Number and tool of the lines that stand for calls. */
function listNumberedCalls(messages: readonly Message[]): readonly (readonly [string, string])[] {
  const texts = messages
    .filter(isLedger)
    .flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.kind === "text" && block.id.startsWith("ledger:") ? block.text.split("\n") : [],
      ),
    );
  return texts.flatMap((line) => {
    const [, number, tool] = /^(\d+) (Read|Write|Edit|Bash)(?: |$)/.exec(line) ?? [];
    return number !== undefined && tool !== undefined ? [[number, tool] as const] : [];
  });
}
