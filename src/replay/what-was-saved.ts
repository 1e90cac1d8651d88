import { type DollarSums, type SessionDollars, saveOfBill, sumDollars } from "./client-dollars.ts";
import type { SummaryLoss } from "./outcome.ts";
import type { AnsweredSession, ReplayAnswer } from "./parse-answer.ts";
import { REFERENCE } from "./policy-names.ts";
import { sumLosses } from "./report.ts";

export interface Saved extends DollarSums {
  /** Files that were asked about; not all of them are replayed. */
  readonly asked: number;
  /**
   * The part of the bill that perfect foresight would have saved, if that was replayed; never less than the policy's saving, which could
   * have been foreseen too.
   */
  readonly carriedUsd: number | undefined;
  /** What the client's own summaries lost. */
  readonly loss: SummaryLoss;
}

const FORESEEING = "clairvoyant";

export interface ReplayedSession extends SessionDollars {
  readonly foreseeingUsd: number | undefined;
  readonly loss: SummaryLoss | undefined;
}

/** Finds a file in the answer of a replay, where sessions are named by their path below the common folder. */
export function indexReplayed({
  sessions,
  shortSessions,
  installed,
}: Pick<ReplayAnswer, "sessions" | "shortSessions" | "installed">): (file: string) => ReplayedSession | undefined {
  const rows = new Map([...sessions, ...shortSessions].flatMap((session) => listDollars(session, installed)));
  return (file) => findRow(file, rows);
}

/** The sum over these files; `undefined` if the replay holds none of them. */
export function sumSaved(
  find: (file: string) => ReplayedSession | undefined,
  files: readonly string[],
): Saved | undefined {
  const found = files.flatMap((file) => find(file) ?? []);
  if (found.length === 0) return undefined;
  return { asked: files.length, carriedUsd: sumCarried(found), loss: sumLosses(found), ...sumDollars(found) };
}

/** The cost of carrying what was never needed again, which perfect foresight would save; `undefined` if that was not replayed. */
export function sumCarried(rows: readonly ReplayedSession[]): number | undefined {
  const carried = rows.flatMap((row) => {
    const { foreseeingUsd, ownUsd, simulatedUsd } = row;
    if (foreseeingUsd === undefined) return [];
    return [saveOfBill({ ...row, ownUsd: Math.min(foreseeingUsd, ownUsd, simulatedUsd) })];
  });
  return carried.length === rows.length ? carried.reduce((sum, usd) => sum + usd, 0) : undefined;
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

function listDollars(
  { name, recordedUsd, policies, loss }: AnsweredSession,
  installed: string,
): readonly (readonly [string, ReplayedSession])[] {
  const [simulatedUsd, ownUsd, foreseeingUsd] = [REFERENCE, installed, FORESEEING].map(
    (policy) => policies.find((one) => one.name === policy)?.netUsd,
  );
  if (simulatedUsd === undefined || ownUsd === undefined) return [];
  return [[name, { recordedUsd, simulatedUsd, ownUsd, foreseeingUsd, loss: loss ?? undefined }]];
}
