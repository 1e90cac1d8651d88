import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TranscriptFile } from "../../../hosts/host.ts";
import { PRICES_AS_OF } from "../../../models/model-table.ts";
import { keepLastReplay } from "../../../recorded/last-replay.ts";
import { dropReplayProgress, keepReplayProgress } from "../../../recorded/replay-progress.ts";
import { POLICIES, REFERENCE } from "../../../replay/catalogue.ts";
import type { Marks } from "../../../replay/prompt-cache.ts";
import { renderPlot } from "../../../replay/render-plot.ts";
import { createReport } from "../../../replay/report.ts";
import { summariseCheck } from "../../../replay/summarise-check.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { collectUsage, findTranscripts } from "../collect-usage.ts";
import { CliError, type Command, EXIT_NOTHING_FOUND, type Invocation, type Terminal } from "../command.ts";
import { PERIOD_OPTIONS, type Period, parsePeriod, selectPeriod } from "../parse-period.ts";
import { renderJson } from "../render-json.ts";
import { collectWalks } from "../replay/collect-walks.ts";
import { DOORS } from "../replay/doors.ts";
import { findModule } from "../replay/find-module.ts";
import { type LoadedPolicy, loadPolicies } from "../replay/load-policies.ts";
import { renderCheck } from "../replay/render-check.ts";
import { renderReplay } from "../replay/render-replay.ts";
import { renderSessions } from "../replay/render-sessions.ts";
import { suggest } from "../suggest.ts";

/** Shorter sessions hardly fill a window: what a policy does to them is told apart. */
const MIN_STEPS = 60;
const MARKS: readonly Marks[] = ["client", "atEdit"];

export const replayCommand: Command = {
  name: "replay",
  summary: "What any context policy would have cost and lost on recorded sessions, without asking a model",
  positional: { name: "PATH", help: "folders or .jsonl files; without any, all sessions the client keeps" },
  options: [
    {
      name: "policies",
      value: "A,B,C",
      help: `those alone, beside native: ${[...POLICIES, ...DOORS].map(({ name }) => name).join(", ")}`,
    },
    { name: "doors", help: "also each door as it runs, with what it cannot see or do; takes several times as long" },
    { name: "min-steps", value: "N", help: `sessions with fewer requests are told apart; ${MIN_STEPS} without it` },
    { name: "marks", value: "WHERE", help: "where requests are marked for the prompt cache", choices: MARKS },
    { name: "check", help: "also the simulator itself against the recorded usage, with its errors" },
    { name: "plot", value: "FILE.svg", help: "also net dollars against need left behind, as a picture" },
    { name: "with", value: "MODULE.mjs", help: "further policies: a module that exports policies" },
    { name: "sessions", help: "also every session by itself, the one with the most to gain first" },
    ...PERIOD_OPTIONS,
    { name: "fresh", help: "replay everything, whatever earlier runs have found" },
    JSON_OPTION,
  ],
  examples: [
    { command: "plimsoll replay", shows: "all policies over your own sessions, the cheapest first" },
    {
      command: "plimsoll replay --policies plimsoll,clear_tool_uses --json",
      shows: "two of them beside native, for a script",
    },
    {
      command: "plimsoll replay --min-steps 20 --plot frontier.svg",
      shows: "shorter sessions in the totals, and a picture of what nothing beats",
    },
    {
      command: "plimsoll replay --doors --policies plimsoll",
      shows: "what module, hooks, gateway and library would each have done, beside the policy that they follow",
    },
    {
      command: "plimsoll replay --policies plimsoll --sessions",
      shows: "what every session would have cost, the one with the most to gain first",
    },
    {
      command: "plimsoll replay --policies native --check",
      shows: "how far the simulator can be trusted on your sessions",
    },
  ],
  async run(invocation, terminal) {
    const isOwn = invocation.positionals.length === 0;
    const period = parsePeriod(invocation, terminal.nowMs());
    const files = await selectFiles(findTranscripts(invocation.positionals, terminal), period, terminal);
    const module = findModule(invocation.values.get("with"), terminal);
    const hasDoors = invocation.flags.has("doors");
    const policies = choosePolicies(await loadPolicies(module), { given: invocation.values.get("policies"), hasDoors });
    const plot = findPlot(invocation.values.get("plot"), terminal);
    const marks = MARKS.find((name) => name === invocation.values.get("marks")) ?? "client";
    const minSteps = parseMinSteps(invocation);
    const isFresh = invocation.flags.has("fresh");
    // The page and the first screen tell of the person's own sessions, all of them.
    const isKept = isOwn && period === undefined;
    const onProgress = isKept ? followProgress(terminal) : undefined;
    const request = { policies, module, marks, isFresh, ...(onProgress && { onProgress }) };
    const collected = await collectWalks(files, request, terminal);
    const judged = [...policies.values()].map(({ policy }) => policy);
    const report = createReport({ ...collected, policies: judged, minSteps });
    const checks = collected.checks.filter(({ steps }) => steps >= minSteps);
    const check = invocation.flags.has("check") ? summariseCheck(checks) : undefined;
    if (plot !== undefined) writeFileSync(plot, renderPlot(report));
    const { steps, ...rest } = report;
    const answer = renderJson({ pricesAsOf: PRICES_AS_OF, marks, requests: steps, ...rest, check });
    if (isKept) {
      keepLastReplay(terminal.environment, answer);
      dropReplayProgress(terminal.environment);
    }
    if (invocation.flags.has("json")) return terminal.print(answer);
    const shown = [
      renderReplay(report, terminal, { isOwn }),
      ...(invocation.flags.has("sessions") ? [renderSessions(report, terminal)] : []),
      ...(check ? [renderCheck(check, terminal)] : []),
    ];
    terminal.print([...shown, renderNotes(plot)].join("\n\n"));
  },
};

/** Those in which something was asked in the period; all where there is none. */
async function selectFiles(
  files: readonly TranscriptFile[],
  period: Period | undefined,
  terminal: Terminal,
): Promise<readonly TranscriptFile[]> {
  if (!period) return files;
  const { scanned } = await collectUsage(files, terminal);
  const selected = selectPeriod(scanned, period).map(({ file }) => file);
  if (selected.length === 0) throw new CliError("no request is recorded in these days", EXIT_NOTHING_FOUND);
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

const DOOR_NAMES: ReadonlySet<string> = new Set(DOORS.map(({ name }) => name));

/** All that there are, or those named; the one that all are compared with is always among them. Doors where they are asked for. */
function choosePolicies(
  known: ReadonlyMap<string, LoadedPolicy>,
  { given, hasDoors }: { readonly given: string | undefined; readonly hasDoors: boolean },
): ReadonlyMap<string, LoadedPolicy> {
  if (given === undefined) return new Map([...known].filter(([name]) => hasDoors || !DOOR_NAMES.has(name)));
  const names = new Set(
    given
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
  for (const name of names) {
    if (known.has(name)) continue;
    const nearest = suggest(name, [...known.keys()]);
    throw new CliError(
      `there is no policy "${name}": ${nearest ? `did you mean ${nearest}?` : `there are ${[...known.keys()].join(", ")}`}`,
    );
  }
  if (names.size === 0) throw new CliError(`--policies names none: pass some of ${[...known.keys()].join(",")}`);
  return new Map(
    [...known].filter(([name]) => names.has(name) || name === REFERENCE || (hasDoors && DOOR_NAMES.has(name))),
  );
}

function parseMinSteps(invocation: Invocation): number {
  const given = invocation.values.get("min-steps");
  if (given === undefined) return MIN_STEPS;
  if (!/^\d{1,6}$/.test(given))
    throw new CliError(`--min-steps takes a number of requests, such as 60, not "${given}"`);
  return Number(given);
}

/** Asked for before the work, so that nobody waits for minutes to learn of a typing error. */
function findPlot(given: string | undefined, terminal: Terminal): string | undefined {
  if (given === undefined) return undefined;
  const file = path.resolve(terminal.directory, given);
  if (!file.endsWith(".svg")) throw new CliError(`--plot writes SVG: name a file that ends in .svg, not "${given}"`);
  if (!statSync(path.dirname(file), { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`there is no folder ${path.dirname(given)} to write the plot into: make it first`);
  return file;
}

function renderNotes(plot: string | undefined): string {
  return [
    ...(plot === undefined ? [] : [`Plot written: ${path.basename(plot)}`]),
    `Prices as of ${PRICES_AS_OF}. What the words mean and how far to trust them: docs/replay.md.`,
  ].join("\n");
}
