import { REFERENCE } from "./catalogue.ts";
import { toFigures, toRow } from "./figures.ts";
import type { Walk } from "./outcome.ts";

/** A session by its dollars: as billed, as simulated with the client's own compaction, and under the policy. */
export interface SessionDollars {
  readonly recordedUsd: number;
  readonly simulatedUsd: number;
  readonly ownUsd: number;
}

export interface DollarSums extends SessionDollars {
  readonly sessions: number;
  /** Of the recorded dollars: the share that the simulation says. */
  readonly savedUsd: number;
}

/** What the sessions of one client that are replayed cost. */
export interface ClientDollars extends DollarSums {
  readonly client: string;
  /** All that the client's files hold, sessions that are left out and subagents included: what `plimsoll stats` says. */
  readonly billedUsd: number | undefined;
}

/** What is asked of a walked session. */
interface Walked {
  readonly client: string;
  readonly recordedUsd: number;
  readonly walks: ReadonlyMap<string, Walk>;
}

/** What a policy saves of what was billed: the simulation gives the share, the bill the dollars. */
export function saveOfBill({ recordedUsd, simulatedUsd, ownUsd }: SessionDollars): number {
  return simulatedUsd > 0 ? recordedUsd * (1 - ownUsd / simulatedUsd) : 0;
}

export function sumDollars(sessions: readonly SessionDollars[]): DollarSums {
  const sum = (pick: (one: SessionDollars) => number): number => sessions.reduce((all, one) => all + pick(one), 0);
  return {
    sessions: sessions.length,
    recordedUsd: sum(({ recordedUsd }) => recordedUsd),
    simulatedUsd: sum(({ simulatedUsd }) => simulatedUsd),
    ownUsd: sum(({ ownUsd }) => ownUsd),
    savedUsd: sum(saveOfBill),
  };
}

/** By client, the one with the largest bill first; `billed` has what the files of each hold together. */
export function sumByClient(
  sessions: readonly Walked[],
  own: string,
  billed: ReadonlyMap<string, number> = new Map(),
): readonly ClientDollars[] {
  const clients = new Set([...sessions.map(({ client }) => client), ...billed.keys()]);
  return [...clients]
    .map((client) => {
      const dollars = sessions.filter((session) => session.client === client).flatMap((one) => readDollars(one, own));
      return { client, billedUsd: billed.get(client), ...sumDollars(dollars) };
    })
    .sort((left, right) => right.recordedUsd - left.recordedUsd || (left.client < right.client ? -1 : 1));
}

function readDollars({ walks, recordedUsd }: Walked, own: string): readonly SessionDollars[] {
  const [simulated, ours] = [walks.get(REFERENCE), walks.get(own)].map((walk) => walk && toFigures(toRow(walk)).netUsd);
  if (simulated === undefined || ours === undefined) return [];
  return [{ recordedUsd, simulatedUsd: simulated, ownUsd: ours }];
}
