import { toFigures, toRow } from "./figures.ts";
import type { WalkedSession } from "./outcome.ts";
import { REFERENCE } from "./policy-names.ts";

/** A session's dollars: as billed, as simulated with the client's own compaction, and under the policy. */
export type SessionDollars = Readonly<Record<"recordedUsd" | "simulatedUsd" | "ownUsd", number>>;

export interface DollarSums extends SessionDollars {
  readonly sessions: number;
  /** The simulated saving as a share, applied to the recorded dollars. */
  readonly savedUsd: number;
}

export interface ClientDollars extends DollarSums {
  readonly client: string;
  /** Everything in the client's files, including sessions left out and subagents, as in `plimsoll stats`. */
  readonly billedUsd: number | undefined;
}

type Walked = Pick<WalkedSession, "client" | "recordedUsd" | "walks">;

/** A policy's saving on the bill: the simulation gives the share, the bill the dollars. */
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

/** By client, the largest bill first; `billed` holds the total of each client's files. */
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
