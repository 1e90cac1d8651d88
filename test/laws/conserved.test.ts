/** If red: the auditor does not notice one lost thing in a collapsed history. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../src/core/apply-edits.ts";
import { createCollapseExchanges } from "../../src/layers/collapse-exchanges.ts";
import { LEDGER_OPENING } from "../../src/layers/ledger/ledger-text.ts";
import { estimateMessageTokens } from "../../src/models/tokens.ts";
import { createAnthropicFormat } from "../../src/wire/anthropic/messages.ts";
import { anthropicTools } from "../../src/wire/anthropic/vocabulary.ts";
import { parseConversation } from "../../src/wire/conversation.ts";
import { blocksOf, type ContentBlock, type Message } from "../api/messages-body.ts";
import { tries } from "../support/depth.ts";
import { auditRun } from "./audit-run.ts";
import type { Recall } from "./fetch-handles.ts";
import { answered, picture, request, result, said, use } from "./request-log.ts";
import { isLawful, renderVerdict, type Verdict } from "./verdict.ts";

/** Often equal, often several lines, now and then such as a ledger's own. */
const arbitraryText = fc.oneof(
  fc.constantFrom("ok", "Go on.", "src/a.ts", "12 monkeys", "person: no\nassistant: yes", "1 a\n\n  b\n"),
  fc.lorem({ maxCount: 60 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => /\S/.test(text)),
);
const arbitraryCall = fc.record({
  command: arbitraryText,
  output: fc.oneof({ weight: 4, arbitrary: arbitraryText }, { weight: 1, arbitrary: fc.constantFrom(picture("UkVE")) }),
});
const arbitraryRound = fc.record({
  words: fc.option(arbitraryText, { nil: undefined }),
  calls: fc.array(arbitraryCall, { minLength: 1, maxLength: 3 }),
  after: fc.option(arbitraryText, { nil: undefined }),
});
type Round = typeof arbitraryRound extends fc.Arbitrary<infer Value> ? Value : never;

const arbitraryRounds = fc.array(arbitraryRound, { minLength: 4, maxLength: 9 });

function toHistory(rounds: readonly Round[]): readonly Message[] {
  return [
    said("Paint the hull.", picture("R0lW")),
    ...rounds.flatMap(({ words, calls, after }, round) => {
      const name = (index: number): string => `toolu_${round}_${index}`;
      return [
        answered(
          ...(words === undefined ? [] : [words]),
          ...calls.map(({ command }, at) => use(name(at), { command })),
        ),
        said(
          ...calls.map(({ output }, at) => result(name(at), typeof output === "string" ? output : [output])),
          ...(after === undefined ? [] : [after]),
        ),
      ];
    }),
  ];
}

interface Collapsed {
  readonly messages: readonly Message[];
  readonly originals: ReadonlyMap<string, string>;
}

/** The project's own way from a request to a lighter one. */
function collapse(history: readonly Message[]): Collapsed {
  const conversation = parseConversation(history, createAnthropicFormat());
  const layer = createCollapseExchanges({
    vocabulary: anthropicTools,
    now: true,
    keepExchanges: 2,
    wordsCharacters: 80,
  });
  const countTokens = (message: (typeof conversation.messages)[number]): number =>
    estimateMessageTokens(message, "dense");
  const edits = layer.plan({ messages: conversation.messages, tokens: 0, targetTokens: 0, countTokens });
  const originals = layer.originals(edits, conversation.messages);
  const rendered = conversation.render(applyEdits(conversation.messages, edits).messages);
  return {
    messages: JSON.parse(JSON.stringify(rendered)),
    originals: new Map(originals.map(({ handle, text }) => [handle, text])),
  };
}

function recallFrom(originals: ReadonlyMap<string, string>): Recall {
  return async (handle) => {
    const [name = "", section = ""] = handle.split("#");
    const text = originals.get(name);
    const sections: Readonly<Record<string, string>> = JSON.parse(text?.split("\n").slice(1).join("\n") ?? "{}");
    return sections[section] === undefined ? undefined : { texts: [sections[section]], pictures: [] };
  };
}

/** The history request by request, then collapsed, then one exchange more. */
function audit(history: readonly Message[], collapsed: Collapsed): Promise<Verdict> {
  const growing = history.flatMap(({ role }, at) => (role === "user" ? [request(history.slice(0, at + 1))] : []));
  const later = [...collapsed.messages, answered("Painted."), said("Well done.")];
  return auditRun({
    requests: [...growing, request(collapsed.messages), request(later)],
    recall: recallFrom(collapsed.originals),
    options: { mayRewind: false },
  });
}

/** Every way in which one thing of a lighter request can be lost or changed. */
function listDamages({ messages, originals }: Collapsed): readonly Collapsed[] {
  const damages: Collapsed[] = [];
  const damage = (at: number, index: number, blocks: readonly ContentBlock[]): void => {
    const content = blocksOf(messages[at]?.content ?? []).flatMap((block, place) =>
      place === index ? blocks : [block],
    );
    const changed = messages.map((message, place) => (place === at ? { ...message, content } : message));
    damages.push({ messages: changed, originals });
  };
  for (const [at, { content }] of messages.entries())
    for (const [index, block] of blocksOf(content).entries())
      for (const blocks of damageBlock(block)) damage(at, index, blocks);
  for (const handle of originals.keys())
    damages.push({ messages, originals: new Map([...originals].filter(([name]) => name !== handle)) });
  return damages;
}

function damageBlock(block: ContentBlock): readonly (readonly ContentBlock[])[] {
  if (block.type === "tool_use") return [[{ ...block, input: { command: "another altogether" } }]];
  if (block.type === "tool_result") return [[{ ...block, content: "another altogether" }]];
  if (block.type !== "text" || typeof block.text !== "string") return [[]];
  // Behind a picture a segment goes on without its heading: it can only go whole.
  if (/^(?:\d+ |person: |assistant: )/.test(block.text)) return [[]];
  if (!block.text.startsWith(LEDGER_OPENING)) return [[], [{ ...block, text: `${block.text}!` }]];
  const lines = block.text.split("\n");
  return lines.map((_, line) => [{ ...block, text: lines.filter((__, index) => index !== line).join("\n") }]);
}

describe("a history that was collapsed", () => {
  it("is lawful", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRounds, async (rounds) => {
        const history = toHistory(rounds);
        const verdict = await audit(history, collapse(history));
        expect(isLawful(verdict), renderVerdict(verdict)).toBe(true);
      }),
      { numRuns: tries(20, 150) },
    );
  });

  it("is no longer, wherever any one thing of it is lost or changed, and the request is named", async () => {
    const numRuns = tries(40, 400);
    let damages = 0;
    await fc.assert(
      fc.asyncProperty(arbitraryRounds, fc.nat(), async (rounds, pick) => {
        const history = toHistory(rounds);
        const possible = listDamages(collapse(history));
        const damaged = possible[pick % Math.max(1, possible.length)];
        if (damaged === undefined) return;
        damages++;
        const verdict = await audit(history, damaged);
        const at = history.filter(({ role }) => role === "user").length;
        expect(isLawful(verdict), JSON.stringify(damaged.messages[0], null, 1)).toBe(false);
        for (const { goneAt } of verdict.missing) expect(goneAt).toBe(at);
        for (const { request: where } of verdict.untrue) expect(where).toBe(at);
      }),
      { numRuns },
    );
    expect(damages).toBeGreaterThan(numRuns * 0.75);
  });
});
