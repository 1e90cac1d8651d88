import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sumContextTokens } from "../../../../core/usage.ts";
import { divide, drawResamples, findInterval, type Interval } from "../../../../replay/compare-sessions.ts";
import { CliError, type Command, defineCommand, type Invocation, parseWhole, type Terminal } from "../../command.ts";
import { askFirst, refuseUnconfirmed } from "../../install/confirm.ts";
import { CLIENT_OPTION, type Client, FIRST_WITH_MODULES, findProgram, hasModules } from "../../install/find-client.ts";
import { findPackage } from "../../install/find-package.ts";
import { renderPage, renderPercent, renderTable, renderTokens, renderUsd } from "../../print/style.ts";
import { type ProofStage, readTasks, runTask, type Task, type TaskFile, type TaskRun } from "../../prove/run-task.ts";

const DEFAULT_PAIRS = 3;

export const proveCommand: Command = defineCommand({
  name: "prove",
  needsAgent: true,
  summary:
    "Runs your own tasks in Claude Code with and without Plimsoll, on your account, and compares what was billed",
  positional: { name: "TASKS", help: "a JSON file with your tasks: name, prompts, and if you like folder and check" },
  options: {
    "max-usd": { value: "USD", help: "spend at most this much on all runs together" },
    pairs: { value: "N", help: `run each task N times with and N times without Plimsoll (default ${DEFAULT_PAIRS})` },
    model: { value: "MODEL", help: "the model for all runs (default: the agent's own)" },
    out: {
      value: "FILE",
      help: "write the figures to this file; it names your tasks, but holds no prompt, path or answer",
    },
    ...CLIENT_OPTION,
    "dry-run": { help: "show what would be run, and run nothing" },
    yes: { help: "run without asking" },
  },
  examples: {
    "plimsoll prove tasks.json --max-usd 5":
      "shows the plan, asks, and runs each task three times with and without Plimsoll",
    "plimsoll prove tasks.json --max-usd 20 --pairs 10 --out proof.json":
      "runs more pairs, and writes the figures to a file",
  },
  async run(invocation, terminal) {
    const plan = await planProof(invocation, terminal);
    const { flags, values } = invocation;
    const status = await askFirst(() => renderPlan(plan), "Run them?", { flags, terminal });
    if (status !== "agreed")
      return {
        json: { status, pairs: [] },
        text: () => renderPage(renderPlan(plan), terminal),
        failure: refuseUnconfirmed(status, "run the tasks"),
      };
    const { pairs, isStopped } = await runPairs(plan, terminal);
    const result = judgePairs(pairs);
    const json = {
      status: isStopped ? "limit" : "done",
      day: new Date(terminal.nowMs()).toISOString().slice(0, 10),
      client: plan.client.version ?? null,
      models: [...new Set(pairs.flatMap((pair) => [...pair.with.models, ...pair.without.models]))],
      ...result,
      ratio: result.ratio ?? null,
      interval: result.interval ?? null,
      checks: result.checks ?? null,
      runs: pairs.map((pair) => ({ ...pair, with: toFigures(pair.with), without: toFigures(pair.without) })),
    };
    const out = values.get("out");
    if (out !== undefined)
      writeFileSync(path.resolve(terminal.directory, out), `${JSON.stringify(json, undefined, 2)}\n`);
    const limit = `\n\nStopped before the next pair: it could pass the limit of ${renderUsd(plan.maxUsd)}.`;
    return {
      json,
      text: () => renderPage(`${renderProof(pairs, result)}${isStopped ? limit : ""}`, terminal),
      failure: pairs.some(hasEndedWell) ? undefined : CliError.failed("no pair of runs ended well"),
    };
  },
});

interface Plan extends TaskFile {
  readonly client: Client;
  readonly packageFolder: string;
  readonly pairs: number;
  readonly maxUsd: number;
  readonly model: string | undefined;
}

async function planProof({ positionals, values }: Invocation, terminal: Terminal): Promise<Plan> {
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new CliError("plimsoll prove needs one file with tasks: plimsoll prove tasks.json --max-usd 5");
  const given = values.get("max-usd");
  if (given === undefined)
    throw new CliError("how much may the runs cost? Pass a limit in dollars, such as --max-usd 5");
  const maxUsd = Number(given.replace(/^\$/, ""));
  if (!(maxUsd > 0 && maxUsd < Number.POSITIVE_INFINITY))
    throw new CliError(`--max-usd takes dollars such as 5 or 2.50, not "${given}"`);
  const pairs = parseWhole(values, "pairs", 1) ?? DEFAULT_PAIRS;
  const tasks = readTasks(file, terminal);
  const packageFolder = findPackage();
  const client = await findProgram("claude", values.get("program"), terminal);
  if (client === undefined) throw new CliError("there is no claude on PATH: pass its path with --program");
  if (client.version === undefined || !hasModules(client.version))
    throw new CliError(
      `plimsoll prove needs Claude Code ${FIRST_WITH_MODULES} or later, not ${client.version ?? "an unknown version"}`,
    );
  return { ...tasks, client, packageFolder, pairs, maxUsd, model: values.get("model") };
}

function renderPlan({ tasks, pairs, maxUsd, client, model, args }: Plan): string {
  const runs = tasks.length * pairs * 2;
  return [
    `${runs} runs of Claude Code ${client.version}: ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}, ${pairs} ${pairs === 1 ? "pair" : "pairs"} each, one run with Plimsoll and one without.`,
    ...tasks.map(
      (task) => `  ${task.name}: ${task.prompts.length} prompts in a copy of ${task.folder}${renderCheck(task)}`,
    ),
    `They use your own account${model === undefined ? "" : ` and the model ${model}`}, and cost at most ${renderUsd(maxUsd)} by the agent's own count, plus what the last request goes over it. Requests go to your API and nowhere else.`,
    args.length === 0
      ? 'The agent asks for no permission in these runs: what it may not do, it leaves. To allow more, add "args" to the file, for instance ["--permission-mode", "acceptEdits"].'
      : `The agent gets these arguments: ${args.join(" ")}`,
    "The copies are deleted after each run. The sessions stay among your recorded sessions.",
  ].join("\n");
}

const renderCheck = ({ check }: Task): string => (check === "" ? ", no check" : `, then: ${check}`);

/** Alternates which side comes first. Stops before a pair that could pass the limit, judged by the most expensive run so far. */
async function runPairs(plan: Plan, terminal: Terminal) {
  const stage: ProofStage = { ...plan, program: plan.client.path, terminal };
  const pairs: Pair[] = [];
  let spentUsd = 0;
  let mostUsd = 0;
  const total = plan.tasks.length * plan.pairs;
  for (let round = 0; round < plan.pairs; round++) {
    for (const task of plan.tasks) {
      if (spentUsd + 2 * mostUsd > plan.maxUsd) return { pairs, isStopped: true };
      terminal.remark(`pair ${pairs.length + 1} of ${total}: ${task.name}\n`);
      const first = pairs.length % 2 === 0 ? "without" : "with";
      const second = first === "with" ? "without" : "with";
      const go = async (side: "with" | "without"): Promise<TaskRun> => {
        const run = await runOnce(task, side === "with", stage, plan.maxUsd - spentUsd);
        // Whichever of the two counts says more: the limit is a promise.
        const usd = Math.max(run.usd, run.clientUsd ?? 0);
        spentUsd += usd;
        mostUsd = Math.max(mostUsd, usd);
        return run;
      };
      const runs = { [first]: await go(first), [second]: await go(second) };
      const { with: one, without: other } = runs;
      if (one && other) pairs.push({ task: task.name, first, with: one, without: other });
    }
  }
  return { pairs, isStopped: false };
}

/** Copies get names of one length, so that both sides read the same number of characters. */
async function runOnce(task: Task, hasPlimsoll: boolean, stage: ProofStage, maxUsd: number): Promise<TaskRun> {
  const place = mkdtempSync(path.join(tmpdir(), "prove-"));
  try {
    const folder = path.join(place, path.basename(task.folder));
    return await runTask({ task, hasPlimsoll, folder, maxUsd: Math.max(maxUsd, 0.01) }, stage);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What a person may publish: numbers, and what went wrong in one word. */
function toFigures({ problem, hasPassed, clientUsd, models: _, ...figures }: TaskRun) {
  return { ...figures, clientUsd: clientUsd ?? null, hasPassed: hasPassed ?? null, hasFailed: problem !== undefined };
}

export interface Pair {
  readonly task: string;
  /** Which of the two came first: it may leave a warm prompt cache to the other. */
  readonly first: "with" | "without";
  readonly with: TaskRun;
  readonly without: TaskRun;
}

interface ProofResult {
  /** Pairs in which both runs ended well; the figures are of these. */
  readonly pairs: number;
  readonly withUsd: number;
  readonly withoutUsd: number;
  /** Absent where nothing was billed. */
  readonly ratio: number | undefined;
  /** 90 %, pairs resampled; from three tasks on, whole tasks. Absent for a single pair. */
  readonly interval: Interval | undefined;
  /** Checks passed on either side; absent if no task has a check. */
  readonly checks: { readonly with: number; readonly without: number; readonly of: number } | undefined;
}

/** From so many tasks on, what is drawn is tasks: pairs of one task are alike. */
const ENOUGH_TASKS = 3;

const hasEndedWell = ({ with: one, without: other }: Pair): boolean => !one.problem && !other.problem;

export function judgePairs(all: readonly Pair[]): ProofResult {
  const pairs = all.filter(hasEndedWell);
  const isOfTasks = new Set(pairs.map(({ task }) => task)).size >= ENOUGH_TASKS;
  const draws = drawResamples(pairs.map(({ task }, index) => (isOfTasks ? task : String(index))));
  const sum = (side: "with" | "without", times?: Uint16Array): number =>
    pairs.reduce((total, pair, index) => total + pair[side].usd * (times?.[index] ?? (times ? 0 : 1)), 0);
  const checked = pairs.filter((pair) => pair.with.hasPassed !== undefined);
  const passed = (side: "with" | "without"): number => checked.filter((pair) => pair[side].hasPassed).length;
  return {
    pairs: pairs.length,
    withUsd: sum("with"),
    withoutUsd: sum("without"),
    ratio: divide(sum("with"), sum("without")),
    interval: findInterval(draws.map((times) => divide(sum("with", times), sum("without", times)))),
    checks: checked.length === 0 ? undefined : { with: passed("with"), without: passed("without"), of: checked.length },
  };
}

export function renderProof(pairs: readonly Pair[], result: ProofResult): string {
  const rows = pairs.flatMap((pair) => [renderRun(pair, "without"), renderRun(pair, "with")]);
  const head = ["task", "", "cost", "requests", "input", "output", "compactions", "time", "check"];
  return `${renderTable([head, ...rows])}\n\n${renderResult(pairs, result)}`;
}

function renderRun(pair: Pair, side: "with" | "without"): readonly string[] {
  const run = pair[side];
  const check = run.hasPassed === undefined ? "" : run.hasPassed ? "passed" : "failed";
  return [
    side === "without" ? pair.task : "",
    side === "without" ? "without Plimsoll" : "with Plimsoll",
    `${run.isAtLeast ? "at least " : ""}${renderUsd(run.usd)}`,
    String(run.requests),
    renderTokens(sumContextTokens(run.usage)),
    renderTokens(run.usage.outputTokens),
    String(run.compactions),
    `${run.seconds} s`,
    run.problem ?? check,
  ];
}

function renderResult(pairs: readonly Pair[], { pairs: whole, ratio, interval, checks, ...sums }: ProofResult): string {
  const left = pairs.length - whole;
  const leftOut = left === 0 ? "" : ` ${left} of ${pairs.length} pairs are left out, because a run of them failed.`;
  if (ratio === undefined) return `There is no result: no pair of runs was billed to the end.${leftOut}`;
  const range = interval
    ? ` (90 % interval: ${renderPercent(interval.low)} to ${renderPercent(interval.high)})`
    : "; one pair has no interval";
  const cost = `With Plimsoll, ${whole === 1 ? "the pair" : `the ${whole} pairs`} cost ${renderPercent(ratio)} of what they cost without${range}: ${renderUsd(sums.withUsd)} instead of ${renderUsd(sums.withoutUsd)}.`;
  const work = checks
    ? ` Checks passed: ${checks.with} of ${checks.of} with Plimsoll, ${checks.without} of ${checks.of} without.`
    : " No task has a check, so this says nothing of the work itself.";
  return `${cost}${work}${leftOut}`;
}
