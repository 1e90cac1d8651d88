import { REFERENCE } from "./catalogue.ts";
import { type DollarSums, type SessionDollars, saveOfBill, sumDollars } from "./client-dollars.ts";
import type { AnsweredSession, ReplayAnswer } from "./parse-answer.ts";

export interface Saved extends DollarSums {
  /** Files that were asked about; not all of them are replayed. */
  readonly asked: number;
  /** The part of the bill that perfect foresight would have saved; never less than the policy's saving, which could have been foreseen too. */
  readonly carriedUsd: number;
}

/** The policies shown in the look back. */
export const TOLD_POLICIES = { own: "plimsoll", foreseeing: "clairvoyant" } as const;

export interface ReplayedSession extends SessionDollars {
  readonly foreseeingUsd: number;
}

/** Finds a file in the answer of a replay, where sessions are named by their path below the common folder. */
export function indexReplayed({
  sessions,
  shortSessions,
}: Pick<ReplayAnswer, "sessions" | "shortSessions">): (file: string) => ReplayedSession | undefined {
  const rows = new Map([...sessions, ...shortSessions].flatMap(listDollars));
  return (file) => findRow(file, rows);
}

/** The sum over these files; `undefined` if the replay holds none of them. */
export function sumSaved(
  find: (file: string) => ReplayedSession | undefined,
  files: readonly string[],
): Saved | undefined {
  const found = files.flatMap((file) => find(file) ?? []);
  if (found.length === 0) return undefined;
  const carriedUsd = found.reduce((total, row) => total + carriedOf(row), 0);
  return { asked: files.length, carriedUsd, ...sumDollars(found) };
}

/** The cost of carrying what was never needed again, which perfect foresight would save. */
export function carriedOf(row: ReplayedSession): number {
  return saveOfBill({ ...row, ownUsd: Math.min(row.foreseeingUsd, row.ownUsd, row.simulatedUsd) });
}

/** Tries a path's endings from the longest to the bare file name. */
function findRow(file: string, rows: ReadonlyMap<string, ReplayedSession>): ReplayedSession | undefined {
  const segments = file.split(/[\\/]/);
  for (let from = 0; from < segments.length; from++) {
    const row = rows.get(segments.slice(from).join("/"));
    if (row) return row;
  }
  return undefined;
}

function listDollars({
  name,
  recordedUsd,
  policies,
}: AnsweredSession): readonly (readonly [string, ReplayedSession])[] {
  const [simulatedUsd, ownUsd, foreseeingUsd] = [REFERENCE, TOLD_POLICIES.own, TOLD_POLICIES.foreseeing].map(
    (policy) => policies.find((one) => one.name === policy)?.netUsd,
  );
  if (simulatedUsd === undefined || ownUsd === undefined || foreseeingUsd === undefined) return [];
  return [[name, { recordedUsd, simulatedUsd, ownUsd, foreseeingUsd }]];
}
