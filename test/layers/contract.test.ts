/** If red: a layer loses originals or breaks a conversation in some rare case. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/core/apply-edits.ts";
import { emptyLedger, type Ledger } from "../../src/core/layer.ts";
import type { Message } from "../../src/core/message.ts";
import { runPipeline } from "../../src/core/pipeline.ts";
import { createAutoCompact } from "../../src/layers/auto-compact.ts";
import { createLayers } from "../../src/layers/catalogue.ts";
import { createClearStale } from "../../src/layers/clear-stale.ts";
import { createCollapseExchanges } from "../../src/layers/collapse-exchanges.ts";
import { createFoldOutputs } from "../../src/layers/fold-outputs.ts";
import { splitExchanges } from "../../src/layers/history/exchanges.ts";
import { listOriginals } from "../../src/layers/history/list-originals.ts";
import type { StoringLayer } from "../../src/layers/history/originals.ts";
import { arbitraryHistory, historyVocabulary as vocabulary } from "../support/arbitrary-history.ts";
import { tries } from "../support/depth.ts";
import { type ContractOptions, createView, findBreaches } from "../support/layer-contract.ts";

/** Conversations in all, in two long runs; those of a layer are its share. Folding takes its time, so it sees fewer. */
const CONVERSATIONS = 11_000;
/** Which part of them the short run looks at. */
const SHORT = 1 / 25;
/** And the long one: each run looks at others. */
const LONG = 1 / 2;
const SMALL = { vocabulary, leastTokens: 40, maxTailTokens: 400, keepExchanges: 2, wordsCharacters: 20 };

interface Case extends ContractOptions {
  readonly share: number;
  /** A layer for one conversation: some have to be told an answer first. */
  readonly create: (messages: readonly Message[]) => StoringLayer;
}

const cases: Readonly<Record<string, Case>> = {
  foldOutputs: { share: 1000, create: () => createFoldOutputs({ vocabulary }) },
  "foldOutputs at birth": {
    share: 500,
    create: () => createFoldOutputs({ vocabulary, atBirth: true }),
    mayTouchNewest: true,
  },
  clearStale: {
    share: 2500,
    create: () => createClearStale({ vocabulary, keepExchanges: 1, clearAtLeast: 0, purgeInputsAfterExchanges: 1 }),
  },
  "clearStale with results past their use": {
    share: 2000,
    create: () => createClearStale({ vocabulary, keepExchanges: 2, clearAtLeast: 200, unusedAfterExchanges: 2 }),
  },
  autoCompact: { share: 2000, create: createAnswered, mayReplaceWords: true },
  reactToOverflow: {
    share: 500,
    create: (messages) => {
      const { reactToOverflow } = createLayers({ vocabulary });
      reactToOverflow.react(400, "prompt is too long: 9 tokens > 1 maximum", createView(messages));
      return reactToOverflow;
    },
    mayTouchNewest: true,
  },
  collapseExchanges: { share: 1500, create: () => createCollapseExchanges(SMALL) },
  "collapseExchanges in many steps, its ledger grown thin": { share: 1000, create: createGrown },
};

/** Decided as the conversation grew, exchange by exchange: what it came to, as the plan of one layer. */
function createGrown(messages: readonly Message[]): StoringLayer {
  const standing = "still open: the parser";
  const options = { ...SMALL, keepExchanges: 1, leastTokens: 20, thinAfterExchanges: 2, standing: () => standing };
  const layer = createCollapseExchanges(options);
  const { countTokens } = createView(messages);
  let ledger = emptyLedger;
  for (const { last } of splitExchanges(messages)) {
    const common = { layers: [layer], targetTokens: 0, countTokens, maxPasses: 1 };
    const result = runPipeline({ ...common, messages: messages.slice(0, last + 1), ledger });
    expect(result.report.layers.flatMap(({ refused, failure }) => [...refused, failure ?? []].flat())).toEqual([]);
    expect(layer.plan(createView(result.messages))).toEqual([]);
    ({ ledger } = result);
  }
  return createReplay(layer.name, ledger);
}

/** One layer that decides what a ledger holds. */
function createReplay(name: string, { decisions }: Ledger): StoringLayer {
  return {
    name,
    cost: 0,
    eager: false,
    plan: (view) => applyEdits(view.messages, decisions).applied.map((edit) => ({ ...edit, by: name })),
    originals: listOriginals,
  };
}

/** A model that sums up in a few words, asked once. */
function createAnswered(messages: readonly Message[]): StoringLayer {
  const layer = createAutoCompact({ keepTokens: 0, leastTokens: 0 });
  const view = createView(messages);
  const question = layer.ask(view);
  if (question) layer.accept(question, "<summary>Did it.</summary><memories>none</memories>", view);
  return layer;
}

describe("the contract of every layer", () => {
  test("is held against more than 10,000 conversations", () => {
    expect(Object.values(cases).reduce((sum, { share }) => sum + share, 0)).toBe(CONVERSATIONS);
  });

  for (const [name, { create, share, ...options }] of Object.entries(cases)) {
    const numRuns = tries(share * SHORT, share * LONG);
    test(`${name} keeps it on ${numRuns} random conversations`, () => {
      let proposals = 0;
      fc.assert(
        fc.property(arbitraryHistory(), (messages) => {
          const layer = create(messages);
          proposals += layer.plan(createView(messages)).length;
          expect(findBreaches(layer, messages, options)).toEqual([]);
        }),
        { numRuns },
      );
      // A contract kept by doing nothing shows nothing.
      expect(proposals).toBeGreaterThan(tries(0, share / 20));
    });
  }
});

describe("all five in a row", () => {
  test("[R127] [R129] go cheapest first, each at most once per pass, and everything they took is retrievable", () => {
    fc.assert(
      fc.property(arbitraryHistory(), (messages) => {
        const { row } = createLayers({
          vocabulary,
          clearStale: { clearAtLeast: 0, keepExchanges: 1 },
          collapseExchanges: { leastTokens: 40, maxTailTokens: 400, keepExchanges: 2 },
        });
        const { countTokens } = createView(messages);
        const result = runPipeline({ messages, layers: row, ledger: emptyLedger, targetTokens: 100, countTokens });
        const asked = result.report.layers.map(({ layer, pass }) => `${pass} ${layer}`);
        expect(new Set(asked).size).toBe(asked.length);
        const order = result.report.layers.filter(({ pass }) => pass === 1).map(({ layer }) => layer);
        expect(order).toEqual(row.map(({ name }) => name).filter((name) => order.includes(name)));
        expect(result.report.layers.flatMap(({ refused, failure }) => [...refused, failure ?? []].flat())).toEqual([]);
        // One layer that decides what the ledger holds keeps the contract: so does the row as a whole.
        expect(findBreaches(createReplay("row", result.ledger), messages)).toEqual([]);
      }),
      { numRuns: tries(24, 600) },
    );
  });
});
