import path from "node:path";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { spendByClient } from "../../../recorded/accounts.ts";
import { joinScans } from "../../../recorded/join-scans.ts";
import { dropReplayProgress, keepLastReplay, keepReplayProgress } from "../../../recorded/last-replay.ts";
import { REFERENCE } from "../../../replay/catalogue.ts";
import { createReport, type ReplayReport, type ReportedSession } from "../../../replay/report.ts";
import { collectUsage, findTranscripts } from "../collect-usage.ts";
import {
  CliError,
  type Command,
  defineCommand,
  EXIT_NOTHING_FOUND,
  hintAt,
  type Invocation,
  type Options,
  parseWhole,
  type Terminal,
} from "../command.ts";
import { shortenId } from "../find-session.ts";
import { chooseCalendar, PERIOD_OPTIONS, type Period, parsePeriod, selectPeriod } from "../parse-period.ts";
import { paint, renderJson, renderSafely, renderTable, renderUsd } from "../print/style.ts";
import { type CollectedWalks, collectWalks, type ReplayRequest } from "../replay/collect-walks.ts";
import { renderReplay } from "../replay/render-replay.ts";
import { KNOWN_POLICIES, type KnownPolicy } from "../replay/replay-file.ts";
import { scanFiles } from "../scan-files.ts";

/** Shorter sessions hardly fill a window, so they are reported separately. */
const MIN_STEPS = 60;
/** On a terminal the answer comes in about a minute, over the newest sessions; the next run continues with older ones. */
const MOST_MS = 50_000;

export const REPLAY_PATHS: NonNullable<Command["positional"]> = {
  name: "PATH",
  help: "folders or .jsonl files; by default all recorded sessions",
};

export const REPLAY_OPTIONS: Options = {
  "min-steps": { value: "N", help: `report sessions with fewer than N requests separately (${MIN_STEPS} by default)` },
  sessions: { help: "also list every session, largest saving first" },
  ...PERIOD_OPTIONS,
  all: {
    help: "replay all your sessions in one run; by default, a run stops after about a minute, and the next run continues from there",
  },
  unchecked: { help: "include sessions whose simulated cost differs from the recorded cost by more than 15 %" },
  fresh: { help: "replay everything again, and ignore earlier results" },
};

interface ReplayPlan extends Pick<ReplayRequest, "policies" | "module" | "marks" | "isHeldToBill"> {
  /** Whether the page and the first screen show the result when it covers all of the person's own sessions. */
  readonly isTold: boolean;
  /** Adds to the report: fields in the JSON, and text after the tables. */
  extend?(
    report: ReplayReport,
    collected: CollectedWalks,
  ): { readonly check: unknown; readonly texts: readonly string[]; readonly notes: readonly string[] };
}

export async function runReplay(invocation: Invocation, terminal: Terminal, plan: ReplayPlan): Promise<void> {
  const isOwn = invocation.positionals.length === 0;
  const period = parsePeriod(invocation, terminal.nowMs(), chooseCalendar(invocation, terminal));
  const files = await selectFiles(findTranscripts(invocation.positionals, terminal), period, terminal);
  const minSteps = parseWhole(invocation.values, "min-steps", 0) ?? MIN_STEPS;
  const isUnchecked = invocation.flags.has("unchecked");
  const isAnswer = plan.isTold && isOwn && period === undefined && !isUnchecked;
  const isLimited = isOwn && terminal.isInteractive && !invocation.flags.has("all");
  const request = {
    ...plan,
    isHeldToBill: plan.isHeldToBill && !isUnchecked,
    isFresh: invocation.flags.has("fresh"),
    ...(isAnswer && { onProgress: followProgress(terminal) }),
    ...(isLimited && { mostMs: MOST_MS }),
  };
  const collected = await collectWalks(files, request, terminal);
  // Not `collectUsage`, which fails if no file can be read: here the report names those files.
  const { scanned } = joinScans(files, await scanFiles(files, terminal));
  const policies = [...plan.policies.values()];
  // The same sums as `plimsoll stats`.
  const clients = spendByClient(scanned.map(({ file, ownSteps }) => ({ file, steps: ownSteps })));
  const billed = new Map(clients.map(({ client, totalUsd }) => [client, totalUsd]));
  const report = createReport({ ...collected, policies, minSteps, billed });
  const { check, texts = [], notes = [] } = plan.extend?.(report, collected) ?? {};
  const { steps, ...rest } = report;
  const answer = renderJson({ pricesAsOf: PRICES_AS_OF, marks: plan.marks, requests: steps, ...rest, check });
  if (isAnswer) {
    if (collected.isWhole) keepLastReplay(terminal.environment, answer);
    dropReplayProgress(terminal.environment);
  }
  if (invocation.flags.has("json")) return terminal.print(answer);
  const prices = `Prices as of ${PRICES_AS_OF}. docs/research/replay.md explains the terms and how far to trust the figures.`;
  const shown = [
    renderReplay(report, terminal, { isOwn }),
    ...(invocation.flags.has("sessions") ? [renderSessions(report, terminal)] : []),
    ...texts,
    [...notes, prices].join("\n"),
  ];
  terminal.print(shown.join("\n\n"));
}

/** All known policies or the named ones; the reference is always included. */
export function choosePolicies(
  known: ReadonlyMap<string, KnownPolicy>,
  given: string | undefined,
): ReadonlyMap<string, KnownPolicy> {
  if (given === undefined) return known;
  const names = new Set(given.split(/[\s,]+/).filter((name) => name !== ""));
  const all = [...known.keys()];
  for (const name of names)
    if (!known.has(name)) throw new CliError(`there is no policy "${name}": ${hintAt(name, all)}`);
  if (names.size === 0) throw new CliError(`--policies is empty: pass some of ${all.join(",")}`);
  return new Map([...known].filter(([name]) => names.has(name) || name === REFERENCE));
}

/** Files with a request in the period; all files without a period. */
async function selectFiles(
  files: readonly TranscriptFile[],
  period: Period | undefined,
  terminal: Terminal,
): Promise<readonly TranscriptFile[]> {
  if (!period) return files;
  const { scanned } = await collectUsage(files, terminal);
  const selected = selectPeriod(scanned, period).map(({ file }) => file);
  if (selected.length === 0) throw new CliError("no request is recorded in this period", EXIT_NOTHING_FOUND);
  return selected;
}

const TELL_EVERY_MS = 1000;

function followProgress({ environment, nowMs }: Terminal): (share: number) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (share) => {
    const atMs = nowMs();
    if (atMs - toldMs < TELL_EVERY_MS) return;
    toldMs = atMs;
    keepReplayProgress(environment, { processId: process.pid, share, atMs });
  };
}

const MOST_POLICIES = 3;

/** Every session under the client and the first policies, sorted by the largest gain. */
function renderSessions(report: ReplayReport, terminal: Terminal): string {
  const names = report.policies.map(({ name }) => name).filter((name) => name !== REFERENCE);
  const shown = names.slice(0, MOST_POLICIES);
  const [first = REFERENCE] = shown;
  const rows = [...report.sessions, ...report.shortSessions].sort(
    (left, right) => gain(right, first) - gain(left, first),
  );
  const cells = (row: ReportedSession): readonly string[] => [
    `  ${renderSafely(shortenId(path.posix.basename(row.name, ".jsonl"))).slice(0, 24)}`,
    String(row.steps),
    ...[REFERENCE, ...shown].map((name) => {
      const usd = netOf(row, name);
      return usd === undefined ? "-" : renderUsd(usd);
    }),
  ];
  return [
    paint(terminal, "bold", "Net cost of every session"),
    renderTable([["  session", "requests", REFERENCE, ...shown], ...rows.map(cells)]),
    paint(terminal, "dim", "plimsoll inspect --session ID shows one session"),
  ].join("\n");
}

function gain(row: ReportedSession, policy: string): number {
  return (netOf(row, REFERENCE) ?? 0) - (netOf(row, policy) ?? 0);
}

function netOf({ policies }: ReportedSession, policy: string): number | undefined {
  return policies.find(({ name }) => name === policy)?.netUsd;
}

export const replayCommand: Command = defineCommand({
  name: "replay",
  summary: "Calculates what your sessions would have cost with Plimsoll and with other settings",
  positional: REPLAY_PATHS,
  options: {
    policies: {
      value: "A,B,C",
      help: `compare only these settings with native (the client's own compaction): ${[...KNOWN_POLICIES.keys()].join(", ")}`,
    },
    ...REPLAY_OPTIONS,
  },
  examples: {
    "plimsoll replay": "compares all settings on your own sessions, cheapest first",
    "plimsoll replay --policies plimsoll,clear_tool_uses --json": "compares two settings with native, and prints JSON",
    "plimsoll replay --policies plimsoll --sessions":
      "also lists what each session would have cost, largest saving first",
  },
  async run(invocation, terminal) {
    const policies = choosePolicies(KNOWN_POLICIES, invocation.values.get("policies"));
    const plan = { module: undefined, marks: "client", isTold: true, isHeldToBill: true } as const;
    await runReplay(invocation, terminal, { policies, ...plan });
  },
});
