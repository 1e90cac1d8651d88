import path from "node:path";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { shortenId } from "../../../recorded/list-own-sessions.ts";
import { ANSWERING_POLICIES, REFERENCE } from "../../../replay/policy-names.ts";
import type { ReplayReport, ReportedSession } from "../../../replay/report.ts";
import {
  CliError,
  type Command,
  defineCommand,
  hintAt,
  type Invocation,
  type Options,
  parseWhole,
  type Terminal,
} from "../command.ts";
import { chooseCalendar, PERIOD_OPTIONS, parsePeriod } from "../parse-period.ts";
import { paint, renderSafely, renderTable, renderUsd } from "../print/style.ts";
import { orSample } from "../read-recent.ts";
import type { CollectedWalks } from "../replay/collect-walks.ts";
import { renderReplay } from "../replay/render-replay.ts";
import { KNOWN_POLICIES, type KnownPolicy } from "../replay/replay-file.ts";
import { MIN_STEPS, type ReplayQuestion, renderReplayed, replaySessions } from "../replay/replay-sessions.ts";

export const REPLAY_PATHS: NonNullable<Command["positional"]> = {
  name: "PATH",
  help: "folders or .jsonl files, under every setting; by default, the sessions of your last 30 days",
};

export const REPLAY_OPTIONS: Options = {
  "min-steps": { value: "N", help: `report sessions with fewer than N requests separately (${MIN_STEPS} by default)` },
  sessions: { help: "also list every session, largest saving first" },
  ...PERIOD_OPTIONS,
  all: {
    help: "replay all your sessions under every setting; by default, only those of your last 30 days, with the agent's own compaction and with Plimsoll",
  },
  unchecked: { help: "include sessions whose simulated cost differs from the recorded cost by more than 15 %" },
  fresh: { help: "replay everything again, and ignore earlier results" },
};

/** Other questions about replayed sessions than what installing Plimsoll saves. */
interface ReplayPlan
  extends Omit<ReplayQuestion, "paths" | "period" | "isFresh" | "isUnchecked" | "isAll" | "minSteps"> {
  /** Adds to the report: fields in the JSON, and text after the tables. */
  extend?(
    report: ReplayReport,
    collected: CollectedWalks,
  ): { readonly check: unknown; readonly texts: readonly string[]; readonly notes: readonly string[] };
}

export async function runReplay(invocation: Invocation, terminal: Terminal, plan: ReplayPlan): Promise<void> {
  const { flags, values, positionals } = invocation;
  const question: ReplayQuestion = {
    ...plan,
    paths: positionals,
    period: parsePeriod(invocation, terminal.nowMs(), chooseCalendar(invocation, terminal)),
    minSteps: parseWhole(values, "min-steps", 0) ?? MIN_STEPS,
    isAll: flags.has("all"),
    isFresh: flags.has("fresh"),
    isUnchecked: flags.has("unchecked"),
  };
  const replayed = await replaySessions(question, terminal);
  const { report, collected, asked } = replayed;
  const { check, texts = [], notes = [] } = plan.extend?.(report, collected) ?? {};
  if (flags.has("json")) return terminal.print(renderReplayed(replayed, plan.marks, check));
  const prices = `Prices as of ${PRICES_AS_OF}. docs/research/replay.md explains the terms and how far to trust the figures.`;
  const shown = [
    renderReplay(report, terminal, { asked, isOwn: positionals.length === 0 }),
    ...(flags.has("sessions") ? [renderSessions(report, terminal)] : []),
    ...texts,
    [...notes, ...(asked.isAnswer ? [MORE] : []), prices].join("\n"),
  ];
  terminal.print(shown.join("\n\n"));
}

const MORE = "Other settings, and all your sessions: plimsoll replay --all. Each session: plimsoll replay --sessions";

/** All known policies or the named ones, with what they are compared with. */
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
  const extras = new Set([REFERENCE, ...[...names].flatMap((name) => known.get(name)?.beside ?? [])]);
  return new Map([...known].filter(([name]) => names.has(name) || extras.has(name)));
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
      help: `compare only these settings with native (the agent's own compaction): ${[...KNOWN_POLICIES.keys()].join(", ")}`,
    },
    ...REPLAY_OPTIONS,
  },
  examples: {
    "plimsoll replay":
      "says what Plimsoll would have saved in your last 30 days; plimsoll, the page and plimsoll install show it from then on",
    "plimsoll replay --all": "compares all settings on all your sessions, cheapest first",
    "plimsoll replay --policies plimsoll,clear_tool_uses --json": "compares two settings with native, and prints JSON",
    "plimsoll replay --policies plimsoll --sessions":
      "also lists what each session would have cost, largest saving first",
  },
  async run(invocation, terminal) {
    const given = invocation.values.get("policies");
    const isAnswer = invocation.positionals.length === 0 && !invocation.flags.has("all");
    const policies = choosePolicies(KNOWN_POLICIES, given ?? (isAnswer ? ANSWERING_POLICIES.join(",") : undefined));
    const isKept = given === undefined;
    const plan = { policies, module: undefined, marks: "client", isHeldToBill: true, isKept } as const;
    await runReplay(orSample(invocation, terminal, "plimsoll replay"), terminal, plan);
  },
});
