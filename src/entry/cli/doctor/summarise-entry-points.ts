import { median, quantile } from "../../../measure/quantile.ts";
import type { OwnAction } from "../../../policy/actions/own-action.ts";

/** One event at one of the two entry points, over the examined sessions. */
export interface EntryPointEvent {
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
  readonly lastFailure: EntryPointNote | null;
  readonly ignored: number;
  readonly lastIgnored: EntryPointNote | null;
  readonly declined: number;
  readonly lastDeclined: EntryPointNote | null;
}

interface EntryPointNote {
  readonly why: string;
  readonly atMs: number;
}

export function summariseEntryPoints(actions: readonly OwnAction[]): readonly EntryPointEvent[] {
  const groups = new Map<string, OwnAction[]>();
  for (const action of actions) {
    const key = `${action.door}\n${action.event}`;
    groups.set(key, [...(groups.get(key) ?? []), action]);
  }
  return [...groups.entries()].sort(([left], [right]) => (left < right ? 1 : -1)).map(([, group]) => summarise(group));
}

const ACTED: readonly OwnAction["kind"][] = ["folded", "injected", "compacted", "receipt", "signal", "blocked"];

function summarise(actions: readonly OwnAction[]): EntryPointEvent {
  const last = actions.at(-1);
  // Hooks record every run. The module records only what it did, so there an action counts as a run; only compactions have a duration.
  const ran = actions.filter(({ kind }) => kind === "ran");
  const runs = ran.length > 0 ? ran : actions.filter(({ kind }) => ACTED.includes(kind));
  const times = runs.flatMap((action) =>
    (action.kind === "ran" || action.kind === "compacted") && Number.isFinite(action.ms) ? [action.ms] : [],
  );
  const failures = listNotes(actions, "failed");
  const ignored = listNotes(actions, "ignored");
  const declined = listNotes(actions, "declined");
  const lastRun = runs.at(-1);
  return {
    door: String(last?.door ?? ""),
    event: last?.event ?? "",
    isAlive: lastRun !== undefined && lastRun.atMs >= (failures.at(-1)?.atMs ?? 0),
    runs: runs.length,
    medianMs: median(times) ?? null,
    p95Ms: quantile(times, 0.95) ?? null,
    lastAtMs: last?.atMs ?? 0,
    client: String(actions.findLast(({ client }) => client)?.client ?? ""),
    failures: failures.length,
    lastFailure: failures.at(-1) ?? null,
    ignored: ignored.length,
    lastIgnored: ignored.at(-1) ?? null,
    declined: declined.length,
    lastDeclined: declined.at(-1) ?? null,
  };
}

function listNotes(actions: readonly OwnAction[], kind: "failed" | "ignored" | "declined"): readonly EntryPointNote[] {
  return actions.flatMap((action) => {
    if (action.kind !== kind || !("why" in action)) return [];
    const what = "what" in action ? `${action.what}: ` : "";
    return [{ why: `${what}${action.why}`, atMs: action.atMs }];
  });
}
