import { sumContextTokens } from "../../../core/usage.ts";
import { divide, drawResamples, findInterval, type Interval } from "../../../replay/compare-sessions.ts";
import { renderPercent, renderTable, renderTokens, renderUsd } from "../print/style.ts";
import type { TaskRun } from "./run-task.ts";

/** Two runs of one task from the same start. */
export interface Pair {
  readonly task: string;
  /** Which of the two came first: it may leave a warm prompt cache to the other. */
  readonly first: "with" | "without";
  readonly with: TaskRun;
  readonly without: TaskRun;
}

export interface ProofResult {
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

export const hasEndedWell = ({ with: one, without: other }: Pair): boolean => !one.problem && !other.problem;

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
