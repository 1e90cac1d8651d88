import { renderCount } from "../../../core/render-count.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../command.ts";
import { type Examination, type ExaminedAgent, examine } from "../doctor/examination.ts";
import { findCleanupDays, findProblems, listNotes } from "../doctor/find-problems.ts";
import type { Problem } from "../install/agents/agent.ts";
import { CLIENT_OPTION } from "../install/find-client.ts";
import { PLUGIN_IDS } from "../install/find-package.ts";
import { joinLines, paint, renderSafely, renderTable } from "../print/style.ts";

export const doctorCommand: Command = defineCommand({
  name: "doctor",
  summary: "Checks whether Plimsoll works; shows what is installed, what ran, what failed and how to fix it",
  options: CLIENT_OPTION,
  examples: {
    "plimsoll doctor": "lists every problem with its fix; exits with status 1 if it finds any",
    "plimsoll doctor --json": "prints the results of all checks as JSON, for a script or a bug report",
  },
  async run(invocation, terminal) {
    const seen = await examine(invocation, terminal);
    const diagnosis = { seen, problems: findProblems(seen, terminal.nowMs()), notes: listNotes(seen) };
    const count = diagnosis.problems.length;
    const words = count === 1 ? "one thing is wrong" : `${count} things are wrong`;
    const failure = count > 0 ? CliError.failed(words) : undefined;
    return { json: describe(diagnosis), text: () => renderDoctor(diagnosis, terminal), failure };
  },
});

function describe({ seen, problems, notes }: Diagnosis) {
  const { installed, own, journal } = seen;
  return {
    isHealthy: problems.length === 0,
    problems,
    notes,
    client: seen.client ?? null,
    plugins: installed.plugins.map((plugin) => PLUGIN_IDS[plugin]),
    hasSettingsHooks: installed.hasSettingsHooks,
    folder: installed.root ?? null,
    node: seen.nodeVersion ?? null,
    engines: seen.engines,
    data: { folder: `${installed.configFolder}/data/plimsoll`, problem: seen.dataProblem ?? null },
    settings: { ...own.settings, files: own.files, warnings: own.warnings },
    history: { cleanupPeriodDays: findCleanupDays(seen), goneFiles: seen.goneFiles },
    sessions: journal.sessions,
    skippedLines: journal.skipped,
    doors: seen.doors,
    unseen: seen.unseen,
    agents: seen.agents.map((agent) => ({ ...agent, program: agent.program ?? null, runs: agent.runs ?? null })),
    fallbackNotes: seen.fallback.actions.length,
  };
}

interface Diagnosis {
  readonly seen: Examination;
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

function renderDoctor({ seen, problems, notes }: Diagnosis, terminal: Terminal): string {
  const nowMs = terminal.nowMs();
  return joinLines(
    renderFacts(seen),
    "",
    renderEntryPoints(seen, nowMs),
    seen.agents.flatMap((agent) => ["", ...renderAgent(agent, nowMs)]),
    notes.length > 0 && ["", ...notes.map(renderSafely)],
    "",
    problems.length === 0 && paint(terminal, "green", "Nothing is wrong."),
    problems.flatMap(({ what, fix }) => [
      `${paint(terminal, "red", "wrong:")} ${renderSafely(what)}`,
      `  ${paint(terminal, "dim", "fix:")} ${renderSafely(fix)}`,
    ]),
  );
}

function renderFacts({ client, installed, nodeVersion, engines, dataProblem, own, recalls }: Examination): string {
  const names = installed.plugins.map((plugin) => PLUGIN_IDS[plugin]);
  const rows = [
    ["agent", client ? `${client.version ?? "version unknown"}, ${client.path}` : "not found"],
    ["plugin", [...names, ...(installed.hasSettingsHooks ? ["hooks in the settings"] : [])].join(", ") || "none"],
    ...(installed.root === undefined ? [] : [["from", installed.root]]),
    ...(nodeVersion === undefined ? [] : [["node", nodeVersion]]),
    ...engines.map(({ pid, bytes }) => ["engine", `process ${pid}, ${Math.round(bytes / 1e6)} MB of memory`]),
    ["data", `${installed.configFolder}/data/plimsoll, ${dataProblem === undefined ? "writable" : "not writable"}`],
    ...(recalls === "" ? [] : [["recalls", recalls]]),
    ["settings", own.files.join(", ") || "defaults"],
  ];
  return rows.map(renderFact).join("\n");
}

function renderFact([name = "", value = ""]: readonly string[]): string {
  return `${name.padEnd(8)}  ${renderSafely(value)}`;
}

function renderEntryPoints({ doors: entryPoints, journal, unseen }: Examination, nowMs: number): string {
  if (entryPoints.length === 0) return "No session has run Plimsoll yet.";
  const head = `source and event, alive, runs, median, p95, failed, ignored, declined, last seen, agent`.split(/,\s+/);
  const rows = entryPoints.map((one) => [
    renderSafely(`${one.door} ${one.event}`),
    one.isAlive ? "yes" : "no",
    String(one.runs),
    renderMs(one.medianMs),
    renderMs(one.p95Ms),
    ...[one.failures, one.ignored, one.declined].map((times) => (times === 0 ? "-" : String(times))),
    renderAge(nowMs - one.lastAtMs),
    renderSafely(one.client) || "unknown",
  ]);
  const rest = unseen.length > 0 ? [`Events not seen yet: ${unseen.map(renderSafely).join(", ")}.`] : [];
  return [`The newest ${renderCount(journal.sessions, "session")}:`, renderTable([head, ...rows]), ...rest].join("\n");
}

function renderAgent({ title, program, what, runs, impossible }: ExaminedAgent, nowMs: number): readonly string[] {
  const version = program ? `${program.version ?? "version unknown"}, ${program.path}` : "its program is not on PATH";
  const ran = runs?.count
    ? `${renderCount(runs.count, "run")}, last ${renderAge(nowMs - runs.lastAtMs)}`
    : "no run yet";
  const rows = [
    ["agent", version],
    ["plimsoll", what],
    ...(runs ? [["hooks", ran]] : []),
    ...impossible.map((text) => ["limits", text]),
  ];
  return [title, ...rows.map((row) => `  ${renderFact(row)}`)];
}

function renderMs(ms: number | null): string {
  return ms === null ? "-" : `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function renderAge(ageMs: number): string {
  for (const [name, unitMs] of UNITS) {
    const count = Math.floor(ageMs / unitMs);
    if (count >= 1) return `${renderCount(count, name)} ago`;
  }
  return "just now";
}
