import type { Deed } from "../../../policy/deeds/deed.ts";

/** One event at one of the two entry points, over the examined sessions. */
export interface DoorEvent {
  readonly door: string;
  readonly event: string;
  /** It ran, and nothing has failed since. */
  readonly isAlive: boolean;
  readonly runs: number;
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  /** When it last did something, and in which client. */
  readonly lastAtMs: number;
  readonly client: string;
  readonly failures: number;
  readonly lastFailure: DoorNote | null;
  readonly ignored: number;
  readonly lastIgnored: DoorNote | null;
  readonly declined: number;
  readonly lastDeclined: DoorNote | null;
}

interface DoorNote {
  readonly why: string;
  readonly atMs: number;
}

export function summariseDoors(deeds: readonly Deed[]): readonly DoorEvent[] {
  const groups = new Map<string, Deed[]>();
  for (const deed of deeds) {
    const key = `${deed.door}\n${deed.event}`;
    groups.set(key, [...(groups.get(key) ?? []), deed]);
  }
  return [...groups.entries()].sort(([left], [right]) => (left < right ? 1 : -1)).map(([, group]) => summarise(group));
}

const ACTED: readonly Deed["kind"][] = ["folded", "injected", "compacted", "receipt", "signal", "blocked"];

function summarise(deeds: readonly Deed[]): DoorEvent {
  const last = deeds.at(-1);
  // Hooks record every run. The module records only what it did, so there an action counts as a run; only compactions have a duration.
  const ran = deeds.filter(({ kind }) => kind === "ran");
  const runs = ran.length > 0 ? ran : deeds.filter(({ kind }) => ACTED.includes(kind));
  const times = runs
    .flatMap((deed) =>
      (deed.kind === "ran" || deed.kind === "compacted") && Number.isFinite(deed.ms) ? [deed.ms] : [],
    )
    .sort((left, right) => left - right);
  const failures = listNotes(deeds, "failed");
  const ignored = listNotes(deeds, "ignored");
  const declined = listNotes(deeds, "declined");
  const lastRun = runs.at(-1);
  return {
    door: String(last?.door ?? ""),
    event: last?.event ?? "",
    isAlive: lastRun !== undefined && lastRun.atMs >= (failures.at(-1)?.atMs ?? 0),
    runs: runs.length,
    medianMs: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    lastAtMs: last?.atMs ?? 0,
    client: String(deeds.findLast(({ client }) => client)?.client ?? ""),
    failures: failures.length,
    lastFailure: failures.at(-1) ?? null,
    ignored: ignored.length,
    lastIgnored: ignored.at(-1) ?? null,
    declined: declined.length,
    lastDeclined: declined.at(-1) ?? null,
  };
}

function listNotes(deeds: readonly Deed[], kind: "failed" | "ignored" | "declined"): readonly DoorNote[] {
  return deeds.flatMap((deed) => {
    if (deed.kind !== kind || !("why" in deed)) return [];
    const what = "what" in deed ? `${deed.what}: ` : "";
    return [{ why: `${what}${deed.why}`, atMs: deed.atMs }];
  });
}

function quantile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
