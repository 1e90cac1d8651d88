/** What the first request after a recorded break of more than an hour cost, next to what would have been quoted before its prompt. */

import type { Arrival, SessionEvent } from "../../src/core/event.ts";
import { sumContextTokens, type Usage } from "../../src/core/usage.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import type { MeterState } from "../../src/measure/meter.ts";
import { createMeter } from "../../src/measure/meter.ts";
import { quantile } from "../../src/measure/quantile.ts";
import { quoteReturn } from "../../src/measure/quote-return.ts";
import { priceUsage } from "../../src/models/economics/spend.ts";
import { CACHE_LIFE_MS } from "../../src/models/find-model.ts";
import { listCorpus } from "./corpus.ts";

interface Return {
  readonly quotedUsd: number;
  readonly paidUsd: number;
  readonly isCold: boolean;
  /** Where the quote was more than 5 % off: what could not be known before the prompt. */
  readonly cause: string;
}

const CLOSE = 0.05;

export function run(): void {
  const all = listCorpus().flatMap((file) => [...listReturns(readRecording(file).events)]);
  const cold = all.filter(({ isCold }) => isCold);
  const errors = cold.map(({ quotedUsd, paidUsd }) => Math.abs(quotedUsd / paidUsd - 1)).sort((a, b) => a - b);
  const sum = (of: (one: Return) => number): number => cold.reduce((total, one) => total + of(one), 0);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(`${all.length} breaks above an hour, ${cold.length} of which came back to an expired cache`);
  console.log(
    `quoted within 5 % of what was paid: ${errors.filter((error) => error <= CLOSE).length} of ${cold.length}`,
  );
  for (const cause of new Set(cold.map((one) => one.cause).filter((each) => each !== "")))
    console.log(`  not: ${cold.filter((one) => one.cause === cause).length}, because ${cause}`);
  console.log(`median error ${percent(quantile(errors, 0.5) ?? 0)}, worst ${percent(errors.at(-1) ?? 0)}`);
  console.log(
    `all together quoted $${sum((one) => one.quotedUsd).toFixed(2)}, paid $${sum((one) => one.paidUsd).toFixed(2)}`,
  );
}

function* listReturns(events: readonly SessionEvent[]): Generator<Return> {
  const meter = createMeter();
  let [lastMs, quotedUsd]: (number | undefined)[] = [];
  let before = meter.state();
  let came: Arrival[] = [];
  for (const event of events) {
    const isLate = event.atMs !== undefined && lastMs !== undefined && event.atMs - lastMs > CACHE_LIFE_MS.long;
    if (isLate && quotedUsd === undefined) {
      before = meter.state();
      came = [];
      quotedUsd = quoteReturn(before)?.goingOnUsd;
    }
    if (event.kind === "compaction") quotedUsd = undefined;
    if (event.kind === "arrival") came.push(event);
    const { cached } = meter.state();
    meter.feed(event);
    if (event.kind !== "output" || event.usage === undefined) continue;
    const paidUsd = priceUsage({ ...event.usage, outputTokens: 0 }, event.model)?.totalUsd;
    if (quotedUsd !== undefined && paidUsd && cached && cached.stepId !== event.stepId) {
      const { cacheReadTokens, cacheWrite1hTokens, cacheWrite5mTokens, inputTokens } = event.usage;
      const isCold = cacheReadTokens < cacheWrite1hTokens + cacheWrite5mTokens + inputTokens;
      const isClose = Math.abs(quotedUsd / paidUsd - 1) <= CLOSE;
      yield { quotedUsd, paidUsd, isCold, cause: isClose ? "" : nameCause(before, event.usage, came) };
    }
    quotedUsd = undefined;
    lastMs = event.atMs ?? lastMs;
  }
}

function nameCause(before: MeterState, paid: Usage, came: readonly Arrival[]): string {
  const tokens = quoteReturn(before)?.tokens ?? 0;
  const change = sumContextTokens(paid) / tokens - 1;
  const isHour = paid.cacheWrite1hTokens > paid.cacheWrite5mTokens;
  if (before.cached !== undefined && isHour !== before.cached.ttlMs > CACHE_LIFE_MS.short)
    return "the client wrote to a cache of another life";
  if (change < -CLOSE) return "the client had cleared a part of the conversation";
  if (came.some(({ label }) => label === "skill_listing")) return "the client, started anew, listed its skills again";
  if (came.some(({ source }) => source === "toolResult")) return "a call that waited for the person brought its result";
  if (change > CLOSE / 2) return "the client added something that is not recorded";
  return "less of the system prompt was still cached";
}
