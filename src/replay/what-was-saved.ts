import type { JsonObject } from "../core/json.ts";
import { isObject, listField, numberField, textField } from "../core/json-fields.ts";
import { REFERENCE } from "./catalogue.ts";
import { saveOfBill } from "./client-dollars.ts";

/** What a replay says of some sessions, in dollars. */
export interface Saved {
  /** Sessions that were replayed, of those asked about. */
  readonly sessions: number;
  readonly asked: number;
  /** What they were billed, by what is recorded. */
  readonly recordedUsd: number;
  /** What the simulation says of the same sessions: with the client's own compaction, and with the policy. */
  readonly simulatedUsd: number;
  readonly ownUsd: number;
  /** Of what was billed, what perfect foresight would have saved; never less than what the policy saves, which could have been foreseen, too. */
  readonly carriedUsd: number;
  /** Of what was billed, what the policy would have saved. */
  readonly savedUsd: number;
}

/** The policies that the look back tells of. */
export const TOLD_POLICIES = { own: "plimsoll", foreseeing: "clairvoyant" } as const;

/** One session as the replay priced it. */
export interface ReplayedSession {
  readonly repository: string;
  readonly recordedUsd: number;
  /** The client alone, simulated. */
  readonly nativeUsd: number;
  readonly ownUsd: number;
  readonly foreseeingUsd: number;
}

type Row = ReplayedSession;

/** Finds a file in the answer of `plimsoll replay --json`. Its sessions are named by their path below the folder that held them all. */
export function readReplayed(answer: unknown): (file: string) => ReplayedSession | undefined {
  if (!isObject(answer)) return () => undefined;
  const rows = new Map(
    [...listField(answer, "sessions"), ...listField(answer, "shortSessions")]
      .filter(isObject)
      .flatMap((session) => readRow(session)),
  );
  return (file) => findRow(file, rows);
}

/** What a replay says of these files together; `undefined` where it holds none of them. */
export function sumSaved(
  find: (file: string) => ReplayedSession | undefined,
  files: readonly string[],
): Saved | undefined {
  const found = files.flatMap((file) => find(file) ?? []);
  if (found.length === 0) return undefined;
  const sum = (pick: (row: Row) => number): number => found.reduce((total, row) => total + pick(row), 0);
  return {
    sessions: found.length,
    asked: files.length,
    recordedUsd: sum(({ recordedUsd }) => recordedUsd),
    simulatedUsd: sum(({ nativeUsd }) => nativeUsd),
    ownUsd: sum(({ ownUsd }) => ownUsd),
    carriedUsd: sum(carriedOf),
    savedUsd: sum(savedOf),
  };
}

/** What the policy saves of one session's bill. */
export function savedOf({ recordedUsd, nativeUsd, ownUsd }: ReplayedSession): number {
  return saveOfBill({ recordedUsd, simulatedUsd: nativeUsd, ownUsd });
}

/** What went for carrying what was never needed again: whoever knows the future saves it. */
export function carriedOf(row: ReplayedSession): number {
  const best = Math.min(row.foreseeingUsd, row.ownUsd, row.nativeUsd);
  return saveOfBill({ recordedUsd: row.recordedUsd, simulatedUsd: row.nativeUsd, ownUsd: best });
}

/** A path's endings from the longest to the file's name. */
function findRow(file: string, rows: ReadonlyMap<string, Row>): Row | undefined {
  const segments = file.split(/[\\/]/);
  for (let from = 0; from < segments.length; from++) {
    const row = rows.get(segments.slice(from).join("/"));
    if (row) return row;
  }
  return undefined;
}

function readRow(session: JsonObject): readonly (readonly [string, Row])[] {
  const usd = (policy: string): number | undefined => {
    const found = listField(session, "policies")
      .filter(isObject)
      .find((one) => textField(one, "name") === policy);
    return found && numberField(found, "netUsd");
  };
  const [nativeUsd, ownUsd, foreseeingUsd] = [REFERENCE, TOLD_POLICIES.own, TOLD_POLICIES.foreseeing].map(usd);
  const recordedUsd = numberField(session, "recordedUsd");
  if (nativeUsd === undefined || ownUsd === undefined || foreseeingUsd === undefined || recordedUsd === undefined)
    return [];
  const repository = textField(session, "repository");
  return [[textField(session, "name"), { repository, recordedUsd, nativeUsd, ownUsd, foreseeingUsd }]];
}
