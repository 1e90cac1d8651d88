/** How often a person at work makes their client ask: from the recorded sessions. */
import { readCorpus } from "./corpus.ts";
import { median } from "./measure.ts";

/** A longer silence is a person who has gone, and no work. */
const WORKING_GAP_MS = 5 * 60_000;
const HOUR_MS = 3_600_000;
const LEAST_REQUESTS = 20;

export interface DeveloperRate {
  readonly sessions: number;
  readonly requests: number;
  /** Over all sessions together, while their people work. */
  readonly requestsPerHour: number;
  /** A tenth of the sessions is busier. */
  readonly busyRequestsPerHour: number;
  readonly medianGapSeconds: number;
}

export async function measureDeveloperRate(): Promise<DeveloperRate> {
  const rates: number[] = [];
  const gapsMs: number[] = [];
  let [requests, workingMs] = [0, 0];
  for await (const { recording } of readCorpus()) {
    const times = recording.steps.flatMap(({ atMs }) => atMs ?? []).sort((left, right) => left - right);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
    const working = gaps.filter((gap) => gap <= WORKING_GAP_MS);
    const spentMs = working.reduce((sum, gap) => sum + gap, 0);
    if (times.length < LEAST_REQUESTS || spentMs === 0) continue;
    requests += working.length;
    workingMs += spentMs;
    gapsMs.push(...working);
    rates.push((working.length * HOUR_MS) / spentMs);
  }
  rates.sort((left, right) => left - right);
  return {
    sessions: rates.length,
    requests,
    requestsPerHour: (requests * HOUR_MS) / workingMs,
    busyRequestsPerHour: rates[Math.floor(rates.length * 0.9)] ?? Number.NaN,
    medianGapSeconds: median(gapsMs) / 1000,
  };
}
