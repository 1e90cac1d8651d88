import type { JsonObject } from "../core/json.ts";
import { isObject, listField, numberField, textField } from "../core/json-fields.ts";
import { REFERENCE } from "./catalogue.ts";
import { drawResamples, findInterval } from "./resample.ts";

/** What a replay says of some sessions, in dollars. */
export interface Saved {
  /** Sessions that were replayed, of those asked about. */
  readonly sessions: number;
  readonly asked: number;
  /** What they cost under the client alone, by the replay. */
  readonly nativeUsd: number;
  /** What went for carrying what was never needed again: above what the same work costs whoever knows the future. */
  readonly carriedUsd: number;
  /** What the policy saves. */
  readonly savedUsd: number;
  /** Nine of ten resamples of the projects lie in it; absent where all sessions are of one. */
  readonly savedInterval: { readonly lowUsd: number; readonly highUsd: number } | undefined;
}

/** The policies that the look back tells of. */
export const TOLD_POLICIES = { own: "plimsoll", foreseeing: "clairvoyant" } as const;

/** One session as the replay priced it. */
export interface ReplayedSession {
  readonly repository: string;
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
  const nativeUsd = sum((row) => row.nativeUsd);
  return {
    sessions: found.length,
    asked: files.length,
    nativeUsd,
    carriedUsd: Math.max(
      0,
      sum((row) => row.nativeUsd - row.foreseeingUsd),
    ),
    savedUsd: sum((row) => row.nativeUsd - row.ownUsd),
    savedInterval: findSavedInterval(found, nativeUsd),
  };
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
  if (nativeUsd === undefined || ownUsd === undefined || foreseeingUsd === undefined) return [];
  const repository = textField(session, "repository");
  return [[textField(session, "name"), { repository, nativeUsd, ownUsd, foreseeingUsd }]];
}

/** Resampled as a share, so that a draw of larger projects does not look like a larger saving. */
function findSavedInterval(rows: readonly Row[], nativeUsd: number): Saved["savedInterval"] {
  const shares = drawResamples(rows.map(({ repository }) => repository)).map((times) => {
    const weigh = (pick: (row: Row) => number): number =>
      rows.reduce((sum, row, index) => sum + pick(row) * (times[index] ?? 0), 0);
    const native = weigh((row) => row.nativeUsd);
    return native > 0 ? (native - weigh((row) => row.ownUsd)) / native : undefined;
  });
  const interval = findInterval(shares);
  return interval && { lowUsd: interval.low * nativeUsd, highUsd: interval.high * nativeUsd };
}
