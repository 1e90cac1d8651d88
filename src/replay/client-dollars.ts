import { REFERENCE } from "./catalogue.ts";
import { toFigures, toRow } from "./figures.ts";
import type { Walk } from "./walk.ts";

/** What the sessions of one client cost: as they were billed, as they are simulated, and under a policy. */
export interface ClientDollars {
  readonly client: string;
  readonly sessions: number;
  /** All that the client's files hold, sessions that are left out and subagents included: what `plimsoll stats` says. */
  readonly billedUsd: number | undefined;
  /** Of it, the conversations that are replayed. */
  readonly recordedUsd: number;
  readonly simulatedUsd: number;
  readonly ownUsd: number;
  /** Of the recorded dollars: the share that the simulation says. */
  readonly savedUsd: number;
}

/** A session by its dollars. */
export interface SessionDollars {
  readonly recordedUsd: number;
  readonly simulatedUsd: number;
  readonly ownUsd: number;
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
      const sum = (pick: (one: SessionDollars) => number): number => dollars.reduce((all, one) => all + pick(one), 0);
      return {
        client,
        sessions: dollars.length,
        billedUsd: billed.get(client),
        recordedUsd: sum(({ recordedUsd }) => recordedUsd),
        simulatedUsd: sum(({ simulatedUsd }) => simulatedUsd),
        ownUsd: sum(({ ownUsd }) => ownUsd),
        savedUsd: sum(saveOfBill),
      };
    })
    .sort((left, right) => right.recordedUsd - left.recordedUsd || (left.client < right.client ? -1 : 1));
}

function readDollars({ walks, recordedUsd }: Walked, own: string): readonly SessionDollars[] {
  const [simulated, ours] = [walks.get(REFERENCE), walks.get(own)].map((walk) => walk && toFigures(toRow(walk)).netUsd);
  if (simulated === undefined || ours === undefined) return [];
  return [{ recordedUsd, simulatedUsd: simulated, ownUsd: ours }];
}
