/** If red: the pipeline breaks the prompt cache more often than that pays. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  conversation,
  editsOf,
  type MessageDraft,
  results,
  user,
} from "../../../test/support/build.ts";
import { usage } from "../../../test/support/session-events.ts";
import type { Pricer } from "../../core/edit-verdict.ts";
import type { Layer } from "../../core/layer.ts";
import { emptyLedger } from "../../core/layer.ts";
import { type Message, renderResultText } from "../../core/message.ts";
import { listDeclined, type PipelineOptions, renderReport, runPipeline } from "../../core/pipeline.ts";
import { advanceCacheState, emptyCacheState } from "./cache-state.ts";
import { countWaited, createPricer, keyOfEdit, nobodyWaits, type PricerOptions, type Waiting } from "./pricer.ts";

const MODEL = "claude-opus-5";

/** Every character of a result is a token, everything else is ten. */
const countTokens = (message: Message): number =>
  message.blocks.reduce((sum, block) => sum + (block.kind === "toolResult" ? renderResultText(block).length : 10), 0);
const weigh = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + countTokens(message), 0);

function grow(rounds: number, resultTokens = 1000): readonly Message[] {
  const drafts: MessageDraft[] = [user("begin")];
  for (let round = 0; round < rounds; round++) drafts.push(assistant(call("Bash")), results("x".repeat(resultTokens)));
  return conversation(...drafts);
}

/** Clears the oldest results, all but the newest two, until the line is reached. */
const clearOldest: Layer = {
  name: "clearOldest",
  cost: 1,
  eager: false,
  plan({ messages, tokens, targetTokens }) {
    const found = messages.flatMap(({ blocks }) => blocks.filter((block) => block.kind === "toolResult")).slice(0, -2);
    const heavy = found.filter((block) => renderResultText(block).length > 10);
    let left = tokens;
    return heavy.flatMap((block) => {
      if (left <= targetTokens) return [];
      left -= renderResultText(block).length - 6;
      return [{ ...editsOf(messages).replaceBlock(block.id, "(gone)"), handles: ["h"] }];
    });
  },
};

const foldNewest: Layer = {
  name: "foldNewest",
  cost: 0,
  eager: true,
  plan({ messages }) {
    const block = messages.at(-1)?.blocks.at(-1);
    return block?.kind === "toolResult" ? [editsOf(messages).replaceBlock(block.id, "(folded)")] : [];
  },
};

const declineAll: Pricer = (edits, view, occasion) =>
  pricer({ clearAtLeastTokens: 1e6 })(edits, view, { ...occasion, isEager: false });

function pricer(options: Partial<PricerOptions> = {}, sent: readonly Message[] = grow(20)): Pricer {
  const cache = advanceCacheState(emptyCacheState, { model: MODEL, atMs: 0, usage: usage({ write5m: weigh(sent) }) });
  const lastSentMessage = sent.at(-1)?.id ?? "";
  return createPricer({
    cache,
    nowMs: 0,
    model: MODEL,
    baseTokens: 0,
    expectedRequests: 20,
    breakpoints: "atEdit",
    lastSentMessage,
    ...options,
  });
}

function run(options: Partial<PipelineOptions>) {
  return runPipeline({
    messages: grow(21),
    layers: [clearOldest],
    ledger: emptyLedger,
    targetTokens: 10_000,
    countTokens,
    ...options,
  });
}

describe("a pricer", () => {
  test("[R145] keeps edits from being made that do not pay, and the report tells them with their price", () => {
    const sent = grow(21);
    const { messages, ledger, report } = run({ messages: sent, pricer: pricer({ expectedRequests: 2 }) });
    expect(messages).toBe(sent);
    expect(ledger).toBe(emptyLedger);
    expect(report.stopped).toBe("nothingToDo");
    const declined = listDeclined(report);
    expect(declined.map(({ edit }) => edit.by)).toEqual(Array(12).fill("test"));
    expect(declined[0]?.verdict).toMatchObject({ why: "doesNotPay", isMade: false, set: { edits: 12 } });
    expect(renderReport(report).split("\n")[1]).toBe(
      "1. clearOldest: 0 edits, 12 declined for their price, 21220 -> 21220 tokens",
    );
  });

  test("lets edits be made that pay, with their verdicts in the report", () => {
    const { report, ledger } = run({ pricer: pricer() });
    expect(ledger.decisions.length).toBe(12);
    expect(report.layers[0]?.priced?.map(({ verdict }) => verdict.why)).toEqual(Array(12).fill("pays"));
    expect(listDeclined(report)).toEqual([]);
  });

  test("finds everything free when the cache is cold", () => {
    const { report } = run({ pricer: pricer({ nowMs: 400_000, expectedRequests: 1 }) });
    expect(new Set(report.layers[0]?.priced?.map(({ verdict }) => verdict.why))).toEqual(new Set(["cold"]));
  });

  test("[R127] lets a second layer ride along behind what the first already pays for", () => {
    const second: Layer = {
      ...clearOldest,
      name: "second",
      cost: 2,
      plan: ({ messages }) =>
        messages.flatMap(({ blocks }) =>
          blocks
            .filter((block) => block.kind === "toolResult" && block.callId === "Bash#20")
            .map(({ id }) => editsOf(messages).replaceBlock(id, "(gone)")),
        ),
    };
    const { report } = run({
      layers: [clearOldest, second],
      targetTokens: 100,
      pricer: pricer({}, grow(21)),
      maxPasses: 1,
    });
    expect(report.layers[1]?.priced?.map(({ verdict }) => verdict.why)).toEqual(["ridesAlong"]);
  });

  test("does not block what an eager layer folds at birth", () => {
    const options = { layers: [foldNewest], targetTokens: 100_000 };
    const { report } = run({ ...options, pricer: pricer({ clearAtLeastTokens: 50_000 }) });
    expect(report.layers[0]?.priced?.map(({ verdict }) => verdict.why)).toEqual(["atBirth"]);
    expect(report.tokensAfter).toBe(report.tokensBefore - 992);
  });

  test("does not matter above the limit that the conversation must fit into", () => {
    expect(run({ pricer: declineAll, mustFitTokens: 21_220 }).ledger.decisions).toEqual([]);
    const { report, ledger } = run({ pricer: declineAll, mustFitTokens: 21_219 });
    expect(ledger.decisions.length).toBe(12);
    expect(new Set(report.layers[0]?.priced?.map(({ verdict }) => verdict.why))).toEqual(new Set(["mustFit"]));
  });

  test.each<[string, Pricer, string]>([
    ["throws", () => JSON.parse("{"), "the pricer failed: "],
    ["gives too few verdicts", () => [], "the pricer gave 0 verdicts for 12 edits"],
  ])("that %s is reported, and the prefix is left alone unless it must fit", (_, wrong, failure) => {
    const { report, ledger } = run({ pricer: wrong, maxPasses: 1 });
    expect(report.layers[0]?.failure).toContain(failure);
    expect(ledger).toBe(emptyLedger);
    expect(run({ pricer: wrong, mustFitTokens: 20_000 }).ledger.decisions.length).toBe(12);
  });

  test("leaves refusals to those who refuse", () => {
    const stray: Layer = { ...clearOldest, plan: () => [editsOf([]).replaceBlock("text:none", "x")] };
    expect(run({ layers: [stray], pricer: pricer() }).report.layers[0]).toMatchObject({
      refused: [{ why: "targetMissing" }],
    });
  });
});

describe("hysteresis", () => {
  test("wakes the patient layers above the margin only, and then they go down to the line", () => {
    const at = (hysteresisTokens: number) => run({ hysteresisTokens }).report;
    expect(at(11_220)).toMatchObject({ stopped: "withinMargin", tokensAfter: 21_220, layers: [] });
    expect(at(11_219).stopped).toBe("belowLine");
  });

  test("does not hold back an eager layer, nor what must fit", () => {
    expect(run({ layers: [foldNewest], hysteresisTokens: 50_000 }).report.layers.length).toBe(1);
    expect(run({ mustFitTokens: 15_000, hysteresisTokens: 50_000 }).report.stopped).toBe("belowLine");
  });

  /** Requests of a growing conversation whose sent prefix differed from what was sent before. */
  function countBusts(
    rounds: number,
    resultTokens: number,
    options: (waiting: Waiting, sent: readonly Message[]) => Partial<PipelineOptions>,
  ) {
    let ledger = emptyLedger;
    let sent: readonly Message[] = [];
    let waiting = nobodyWaits;
    let busts = 0;
    let peakTokens = 0;
    for (let round = 1; round <= rounds; round++) {
      const result = run({ messages: grow(round, resultTokens), ledger, ...options(waiting, sent) });
      const prefix = result.messages.slice(0, sent.length);
      if (JSON.stringify(prefix) !== JSON.stringify(sent)) busts++;
      const declined = listDeclined(result.report).map(({ edit }) => keyOfEdit(edit));
      waiting = Object.fromEntries(declined.map((key) => [key, countWaited(waiting, key) + 1]));
      ({ ledger, messages: sent } = result);
      peakTokens = Math.max(peakTokens, result.report.tokensAfter);
    }
    return { busts, peakTokens };
  }

  test("[R129] changes the prefix about once per margin of growth, for any growth and any margin", () => {
    const arbitrary = fc.record({
      resultTokens: fc.integer({ min: 200, max: 2000 }),
      hysteresisTokens: fc.integer({ min: 1, max: 20_000 }),
    });
    fc.assert(
      fc.property(arbitrary, ({ resultTokens, hysteresisTokens }) => {
        const { busts, peakTokens } = countBusts(30, resultTokens, () => ({ hysteresisTokens }));
        const growth = 30 * (resultTokens + 10);
        expect(busts).toBeLessThanOrEqual(Math.ceil(growth / hysteresisTokens));
        expect(peakTokens).toBeLessThanOrEqual(10_000 + hysteresisTokens + 30 * 26);
      }),
      { numRuns: 30 },
    );
  });

  test("40 rounds: 31 broken prefixes without it, three with it", () => {
    expect(countBusts(40, 1000, () => ({})).busts).toBe(31);
    expect(countBusts(40, 1000, () => ({ hysteresisTokens: 8000 })).busts).toBe(3);
  });

  test("a price does the same without a margin: rarely, and enough at a time", () => {
    const priced = countBusts(40, 1000, (waiting, sent) => {
      const cache = advanceCacheState(emptyCacheState, {
        model: MODEL,
        atMs: 0,
        usage: usage({ write5m: weigh(sent) }),
      });
      const lastSentMessage = sent.at(-1)?.id ?? "";
      const options: PricerOptions = {
        cache,
        nowMs: 0,
        model: MODEL,
        baseTokens: 0,
        waiting,
        lastSentMessage,
        breakpoints: "atEdit",
      };
      return { pricer: createPricer(options) };
    });
    expect(priced.busts).toBeGreaterThan(0);
    expect(priced.busts).toBeLessThanOrEqual(4);
  });
});

describe("wrong options", () => {
  test.each<[Partial<PipelineOptions>, string]>([
    [{ hysteresisTokens: -1 }, "hysteresisTokens must be 0 or more, not -1"],
    [{ mustFitTokens: 9999 }, "mustFitTokens must be at least targetTokens (10000), not 9999"],
    [{ mustFitTokens: Number.NaN }, "mustFitTokens must be at least targetTokens (10000), not NaN"],
  ])("%j is a TypeError that says so", (options, message) => {
    expect(() => run(options)).toThrow(new TypeError(message));
  });

  test("a base of less than nothing is a TypeError of the pricer", () => {
    expect(() => pricer({ baseTokens: -1 })).toThrow(new TypeError("baseTokens must be 0 or more, not -1"));
  });
});
