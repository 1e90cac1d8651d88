/** Pricing edits: how long it takes, and how good the guess is of how long a recorded session still goes on. */

import type { Edit } from "../../src/core/edit.ts";
import type { Message } from "../../src/core/message.ts";
import { replaceBlock } from "../../src/core/propose-edit.ts";
import { zeroUsage } from "../../src/core/usage.ts";
import { advanceCacheState, emptyCacheState } from "../../src/models/economics/cache-state.ts";
import { decideEdits } from "../../src/models/economics/decide-edits.ts";
import { createPricer } from "../../src/models/economics/pricer.ts";
import { hasCorpus, readCorpus } from "./corpus.ts";
import { expectRequests, learnSessionLengths } from "./expect-requests.ts";
import { median, timeInterleaved } from "./measure.ts";

const MODEL = "claude-opus-5";
const SIZES: readonly number[] = [1000, 10_000, 100_000];
const ROUNDS = 7;

export async function run(): Promise<void> {
  await timePricing();
  if (!hasCorpus) return console.log("skipped: no recorded sessions beside the project");
  const sessions = await readSessions();
  const moments = predictAll(sessions);
  reportCalibration(sessions, moments);
  reportRegret(moments);
}

async function timePricing(): Promise<void> {
  const prefix = { warmTokens: 1e9, baseTokens: 0, reachFromTokens: 0, minimumTokens: 0 };
  const options = {
    model: MODEL,
    contextTokens: 1e9,
    prefix,
    share1h: 0,
    expectedRequests: 20,
  };
  const candidates: Readonly<Record<string, () => void>> = Object.fromEntries(
    SIZES.flatMap((size): (readonly [string, () => void])[] => {
      const proposals = Array.from({ length: size }, (_, index) => ({
        positionTokens: index * 1000,
        savedTokens: 900,
      }));
      const { messages, edits } = createHistory(size);
      const view = { messages, tokens: size * 1000, targetTokens: 0, countTokens: () => 1000 };
      const usage = { ...zeroUsage, cacheReadTokens: size * 1000 };
      const cache = advanceCacheState(emptyCacheState, { model: MODEL, atMs: 0, usage });
      const pricer = () => createPricer({ cache, nowMs: 0, model: MODEL, baseTokens: 0, expectedRequests: 20 });
      return [
        [`decide ${size}`, () => void decideEdits(proposals, options)],
        [`locate and decide ${size}`, () => void pricer()(edits, view, { isEager: false, replayed: messages })],
      ];
    }),
  );
  const times = await timeInterleaved(candidates, ROUNDS);
  for (const what of ["decide", "locate and decide"]) {
    const figures = SIZES.map((size) => {
      const ms = median(times[`${what} ${size}`] ?? []);
      return `${size}: ${ms.toFixed(2)} ms (${((ms / size) * 1000).toFixed(2)} µs each)`;
    });
    console.log(`${what}, edits ${figures.join(", ")}`);
  }
}

function createHistory(size: number): { readonly messages: readonly Message[]; readonly edits: readonly Edit[] } {
  const messages = Array.from(
    { length: size },
    (_, index): Message => ({
      id: `m${index}`,
      role: "user",
      blocks: [{ kind: "text", id: `b${index}`, text: "long", author: "host" }],
    }),
  );
  const change = { content: { text: "short" }, by: "bench", reason: "", handles: ["h"] };
  const edits = messages.flatMap(({ blocks }) => blocks.map((block) => replaceBlock(block, change)));
  return { messages, edits };
}

interface Session {
  readonly repository: string;
  readonly turns: readonly number[];
}

async function readSessions(): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for await (const { repository, recording } of readCorpus()) {
    const turns: number[] = [];
    for (const step of recording.steps) {
      if (!step.usage) continue;
      const isPrompt = step.arrivals.some(({ source }) => source === "prompt");
      if (isPrompt || turns.length === 0) turns.push(0);
      turns.push((turns.pop() ?? 0) + 1);
    }
    if (turns.length > 0) sessions.push({ repository, turns });
  }
  return sessions;
}

interface Moment {
  readonly sofar: number;
  readonly real: number;
  readonly predicted: number;
  readonly predictedInTurn: number;
}

/** Every request of every session, predicted from the sessions of all other repositories. */
function predictAll(sessions: readonly Session[]): readonly Moment[] {
  const repositories = [...new Set(sessions.map(({ repository }) => repository))];
  return repositories.flatMap((repository) => {
    const others = sessions.filter((session) => session.repository !== repository);
    const lengths = learnSessionLengths(others.map(({ turns }) => turns));
    const own = sessions.filter((session) => session.repository === repository);
    return own.flatMap(({ turns }) => {
      const total = sum(turns);
      let sofar = 0;
      return turns.flatMap((length) =>
        Array.from({ length }, (_, requestsSincePrompt): Moment => {
          const predicted = expectRequests(lengths, { requestsSoFar: sofar })?.requests ?? 0;
          const inTurn = expectRequests(lengths, { requestsSoFar: sofar, requestsSincePrompt })?.requests ?? 0;
          return { sofar, real: total - sofar++, predicted, predictedInTurn: inTurn };
        }),
      );
    });
  });
}

const BANDS: readonly number[] = [0, 1, 10, 40, 80, 160, 320, Number.POSITIVE_INFINITY];

function reportCalibration(sessions: readonly Session[], moments: readonly Moment[]): void {
  console.log(
    `\n${sessions.length} sessions, ${moments.length} requests, each predicted from the other repositories alone`,
  );
  console.log("requests so far | moments | predicted | with the turn | real, mean | real, median");
  for (const [index, from] of BANDS.slice(0, -1).entries()) {
    const band = moments.filter(({ sofar }) => sofar >= from && sofar < (BANDS[index + 1] ?? 0));
    console.log(`${String(from).padStart(4)} and more | ${band.length} | ${describeBand(band)}`);
  }
  console.log(`all | ${moments.length} | ${describeBand(moments)}`);
  const centre = mean(moments, ({ real }) => real);
  const error = (pick: (moment: Moment) => number) =>
    mean(moments, (moment) => Math.abs(moment.real - pick(moment))).toFixed(1);
  console.log(
    `mean absolute error: predicted ${error(({ predicted }) => predicted)}, with the turn ${error((moment) => moment.predictedInTurn)}, the mean of all, known in hindsight ${error(() => centre)}, always 10 ${error(() => 10)}`,
  );
}

function describeBand(band: readonly Moment[]): string {
  const reals = median(band.map(({ real }) => real));
  return [
    mean(band, ({ predicted }) => predicted),
    mean(band, (moment) => moment.predictedInTurn),
    mean(band, ({ real }) => real),
    reals,
  ]
    .map((value) => value.toFixed(0))
    .join(" | ");
}

/** What each rule pays for edits offered at every recorded request, next to the best decision in hindsight. */
function reportRegret(moments: readonly Moment[]): void {
  const rules: Readonly<Record<string, (moment: Moment, breakEven: number) => number>> = {
    never: ({ real }) => real,
    always: (_, breakEven) => breakEven,
    "10 expected": ({ real }, breakEven) => (breakEven <= 10 ? breakEven : real),
    predicted: ({ real, predicted }, breakEven) => (predicted >= breakEven ? breakEven : real),
    waiting: ({ real }, breakEven) => (real >= Math.ceil(breakEven) ? Math.ceil(breakEven) - 1 + breakEven : real),
  };
  console.log(`\ncost over the best in hindsight, for edits that pay after so many requests`);
  console.log(`pays after | ${Object.keys(rules).join(" | ")}`);
  for (const breakEven of [2, 5, 10, 20, 40, 80, 160]) {
    const best = mean(moments, ({ real }) => Math.min(real, breakEven));
    const costs = Object.values(rules).map((rule) =>
      (mean(moments, (moment) => rule(moment, breakEven)) / best).toFixed(2),
    );
    console.log(`${String(breakEven).padStart(10)} | ${costs.join(" | ")}`);
  }
}

function mean<T>(values: readonly T[], pick: (value: T) => number): number {
  return sum(values.map(pick)) / Math.max(1, values.length);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
