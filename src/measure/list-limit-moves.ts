import type { Usage } from "../core/usage.ts";
import type { LimitMove } from "./fit-weights.ts";

/** One reading of a limit, in whole or broken percent. */
export interface LimitReading {
  readonly atMs: number;
  readonly usedPercent: number;
  /** When the limit begins anew; readings of two such spans have nothing to do with each other. */
  readonly resetsAt: number | undefined;
}

/** A request that was made meanwhile, in whatever session. */
export interface SpentRequest {
  readonly atMs: number | undefined;
  readonly model: string;
  readonly usage: Usage;
}

export interface LimitMoves {
  /** The model that made most of the requests: what a limit counts depends on it, so moves with another one say nothing. */
  readonly model: string;
  readonly moves: readonly LimitMove[];
  readonly readings: number;
}

/** From one reading to the next: by how much the limit moved, and what was spent. Where nothing is recorded in between, somebody spent elsewhere, and the move is left out. */
export function listLimitMoves(readings: readonly LimitReading[], requests: readonly SpentRequest[]): LimitMoves {
  const model = findCommonest(requests.map((request) => request.model));
  const byTime = [...readings].sort((left, right) => left.atMs - right.atMs);
  const dated = requests
    .flatMap((request) => (request.atMs === undefined ? [] : [{ ...request, atMs: request.atMs }]))
    .sort((left, right) => left.atMs - right.atMs);
  const moves: LimitMove[] = [];
  let next = 0;
  for (const [index, reading] of byTime.entries()) {
    const spent: SpentRequest[] = [];
    for (let request = dated[next]; request && request.atMs <= reading.atMs; request = dated[++next])
      spent.push(request);
    const before = byTime[index - 1];
    if (!before || before.resetsAt !== reading.resetsAt || spent.length === 0) continue;
    const percent = reading.usedPercent - before.usedPercent;
    if (percent <= 0 || spent.some((request) => request.model !== model)) continue;
    moves.push({ ...sumKinds(spent), percent });
  }
  return { model, moves, readings: byTime.length };
}

function sumKinds(spent: readonly SpentRequest[]): Omit<LimitMove, "percent"> {
  const sum = { readTokens: 0, writeTokens: 0, outputTokens: 0 };
  for (const { usage } of spent) {
    sum.readTokens += usage.cacheReadTokens;
    sum.writeTokens += usage.inputTokens + usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
    sum.outputTokens += usage.outputTokens;
  }
  return sum;
}

function findCommonest(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0] as const)[0];
}
