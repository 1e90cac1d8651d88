/** What the first request after a recorded break of more than an hour cost, next to what would have been quoted before its prompt. */

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Arrival, SessionEvent } from "../../src/core/event.ts";
import { sumContextTokens, type Usage } from "../../src/core/usage.ts";
import { readContents } from "../../src/hosts/catalogue.ts";
import type { MeterState } from "../../src/measure/meter.ts";
import { createMeter } from "../../src/measure/meter.ts";
import { quantile } from "../../src/measure/quantile.ts";
import { LEAST_TOKENS, quoteReturn } from "../../src/measure/quote-return.ts";
import { priceUsage } from "../../src/models/economics/spend.ts";
import { CACHE_LIFE_MS } from "../../src/models/find-model.ts";
import { CORPUS, listCorpus } from "./corpus.ts";

interface Return {
  readonly agent: string;
  readonly tokens: number;
  readonly quotedUsd: number;
  readonly paidUsd: number;
  readonly isCold: boolean;
  /** Where the quote was more than 5 % off: what could not be known before the prompt. */
  readonly cause: string;
}

const CLOSE = 0.05;

export function run(): void {
  const all = listFiles().flatMap(([agent, file]) => listReturns(agent, readContents(file).events));
  const cold = all.filter(({ isCold }) => isCold);
  console.log(`${all.length} breaks above an hour, ${cold.length} of which came back to an expired cache`);
  report("of any size", cold);
  const shown = cold.filter(({ tokens }) => tokens >= LEAST_TOKENS);
  report(`above ${LEAST_TOKENS} tokens, where a person is shown the price`, shown);
  for (const one of ["claude-code", ...OTHERS])
    report(
      `of these ${one}`,
      shown.filter(({ agent }) => agent === one),
    );
}

/** The other agents whose recordings lie beside those of Claude Code and tell what a request read from the cache. */
const OTHERS = ["codex", "pi", "opencode"];

function listFiles(): readonly (readonly [agent: string, file: string])[] {
  const others = OTHERS.flatMap((agent) => {
    const folder = path.join(CORPUS, "../hosts", agent);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    return names.filter((name) => /\.jsonl?$/.test(name)).map((name) => [agent, path.join(folder, name)] as const);
  });
  return [...listCorpus().map((file) => ["claude-code", file] as const), ...others];
}

function report(which: string, cold: readonly Return[]): void {
  if (cold.length === 0) return;
  const errors = cold.map(({ quotedUsd, paidUsd }) => Math.abs(quotedUsd / paidUsd - 1)).sort((a, b) => a - b);
  const sum = (of: (one: Return) => number): number => cold.reduce((total, one) => total + of(one), 0);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${which}: quoted within 5 % of what was paid: ${errors.filter((error) => error <= CLOSE).length} of ${cold.length}`,
  );
  for (const cause of new Set(cold.map((one) => one.cause).filter((each) => each !== "")))
    console.log(`  not: ${cold.filter((one) => one.cause === cause).length}, because ${cause}`);
  console.log(`median error ${percent(quantile(errors, 0.5) ?? 0)}, worst ${percent(errors.at(-1) ?? 0)}`);
  console.log(
    `all together quoted $${sum((one) => one.quotedUsd).toFixed(2)}, paid $${sum((one) => one.paidUsd).toFixed(2)}`,
  );
}

function listReturns(agent: string, events: readonly SessionEvent[]): readonly Return[] {
  const found: Return[] = [];
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
      found.push({
        agent,
        tokens: quoteReturn(before)?.tokens ?? 0,
        quotedUsd,
        paidUsd,
        isCold,
        cause: isClose ? "" : nameCause(before, event.usage, came),
      });
    }
    quotedUsd = undefined;
    lastMs = event.atMs ?? lastMs;
  }
  return found;
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
