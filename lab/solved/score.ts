import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { estimateTextTokens } from "../../src/models/tokens.ts";
import { drawResamples, findInterval, type Interval } from "../../src/replay/compare-sessions.ts";
import { ARMS } from "./arms.ts";
import { type CheckResult, runChecks } from "./finished-repository.ts";
import type { ReadBack } from "./read-back.ts";
import { CHECK_KINDS, type CheckKind } from "./task.ts";
import { TASKS } from "./tasks/catalogue.ts";
import type { WorkerKey } from "./worker-key.ts";

/** One worker's result. */
export interface WorkerScore {
  readonly id: string;
  readonly task: string;
  readonly arm: string;
  /** Whether the worker wrote its report: an unfinished one is in no figure. */
  readonly isFinished: boolean;
  readonly checks: readonly CheckResult[];
  readonly recalls: number;
  readonly transcriptReadings: number;
  readonly tokensReadBack: number;
  readonly contextTokens: number;
}

export interface ArmScore {
  readonly arm: string;
  readonly workers: number;
  readonly tasks: number;
  /** Checks held, as a share: the mean over tasks, with the interval of drawing tasks again. */
  readonly share: number | undefined;
  readonly interval: Interval | undefined;
  readonly byKind: Readonly<Record<CheckKind, number | undefined>>;
  readonly contextTokens: number;
  readonly recalls: number;
  readonly transcriptReadings: number;
  readonly tokensReadBack: number;
}

const TOKENIZER = "classic";

export function scoreWorker(key: WorkerKey): WorkerScore {
  const task = TASKS.find(({ name }) => name === key.task);
  if (!task) throw new Error(`there is no task ${key.task}`);
  const readings = existsSync(key.counts) ? parseLines(readFileSync(key.counts, "utf8")) : [];
  const context = readFileSync(path.join(key.folder, "context.md"), "utf8");
  const contextTokens = Math.round(estimateTextTokens(context, TOKENIZER));
  const characters = readings.reduce((total, reading) => total + reading.characters, 0);
  return {
    id: key.id,
    task: key.task,
    arm: key.arm,
    isFinished: existsSync(path.join(key.folder, "report.md")),
    checks: runChecks(task, path.join(key.folder, "repo")),
    recalls: readings.filter(({ how }) => how === "recall").length,
    transcriptReadings: readings.filter(({ how }) => how === "transcript").length,
    // What was read is of the same kind of text as the context.
    tokensReadBack: Math.round((characters * contextTokens) / Math.max(1, context.length)),
    contextTokens,
  };
}

function parseLines(text: string): readonly ReadBack[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** Every arm's figures over the workers that finished, in the order of the arms. */
export function scoreArms(workers: readonly WorkerScore[]): readonly ArmScore[] {
  const finished = workers.filter(({ isFinished }) => isFinished);
  return ARMS.map(({ name }) =>
    scoreArm(
      name,
      finished.filter(({ arm }) => arm === name),
    ),
  );
}

function scoreArm(arm: string, workers: readonly WorkerScore[]): ArmScore {
  const tasks = [...new Set(workers.map(({ task }) => task))];
  const shares = tasks.map((task) => mean(workers.filter((each) => each.task === task).map(shareHeld)) ?? 0);
  const draws = drawResamples(tasks).map((often) =>
    mean(shares.flatMap((share, index) => Array(often[index]).fill(share))),
  );
  const kinds = CHECK_KINDS.map((kind) => {
    const checks = workers.flatMap((worker) => worker.checks.filter((check) => check.kind === kind));
    return [kind, mean(checks.map(({ isHeld }) => Number(isHeld)))] as const;
  });
  return {
    arm,
    workers: workers.length,
    tasks: tasks.length,
    share: mean(shares),
    interval: findInterval(draws),
    byKind: { ...NO_KINDS, ...Object.fromEntries(kinds) },
    contextTokens: mean(workers.map(({ contextTokens }) => contextTokens)) ?? 0,
    recalls: mean(workers.map(({ recalls }) => recalls)) ?? 0,
    transcriptReadings: mean(workers.map(({ transcriptReadings }) => transcriptReadings)) ?? 0,
    tokensReadBack: mean(workers.map(({ tokensReadBack }) => tokensReadBack)) ?? 0,
  };
}

const NO_KINDS: Readonly<Record<CheckKind, undefined>> = {
  "rule kept": undefined,
  "fact used": undefined,
  "lesson remembered": undefined,
  "readable again": undefined,
};

function shareHeld({ checks }: WorkerScore): number {
  return mean(checks.map(({ isHeld }) => Number(isHeld))) ?? 0;
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0) / values.length;
}

/** The table, in Markdown, and what each arm missed most. */
export function renderScores(arms: readonly ArmScore[], workers: readonly WorkerScore[]): string {
  const percent = (share: number | undefined): string => (share === undefined ? "–" : `${Math.round(share * 100)} %`);
  const rows = arms.map((arm) =>
    [
      arm.arm,
      `${arm.workers} on ${arm.tasks}`,
      percent(arm.share),
      arm.interval ? `${percent(arm.interval.low)} to ${percent(arm.interval.high)}` : "–",
      ...CHECK_KINDS.map((kind) => percent(arm.byKind[kind])),
      String(Math.round(arm.contextTokens)),
      arm.recalls.toFixed(1),
      arm.transcriptReadings.toFixed(1),
      String(Math.round(arm.tokensReadBack)),
    ].join(" | "),
  );
  const heads = [
    "arm",
    "workers on tasks",
    "checks held",
    "90 % interval over tasks",
    ...CHECK_KINDS,
    "tokens in view",
    "recalls",
    "transcript readings",
    "tokens read back",
  ];
  const missed = workers
    .filter(({ isFinished }) => isFinished)
    .map(({ id, task, arm, checks }) => {
      const failed = checks.filter(({ isHeld }) => !isHeld).map((check) => check.id);
      return `- ${task}, ${arm}, ${id}: ${checks.length - failed.length} of ${checks.length}${failed.length > 0 ? `; missed: ${failed.join("; ")}` : ""}`;
    });
  const open = workers.filter(({ isFinished }) => !isFinished).length;
  return [
    `| ${heads.join(" | ")} |`,
    `|${heads.map(() => "---|").join("")}`,
    ...rows.map((row) => `| ${row} |`),
    "",
    ...missed.sort(),
    ...(open > 0 ? ["", `${open} folders have no report.md yet and are in no figure.`] : []),
  ].join("\n");
}
