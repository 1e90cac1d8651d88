import { describeDistribution } from "../../measure/distribution.ts";
import { tellErrors } from "../../measure/tell-errors.ts";
import type { CloseLook, ResultSizes } from "./close-look.ts";
import { countAll, joinHistograms, quantileOf } from "./histogram.ts";
import { type JournalLook, joinRuns, type RunTimes } from "./journal-look.ts";
import type { HookCost, MeasureView, ToolResults } from "./wire.ts";

export interface MeasuredSession {
  readonly look: CloseLook | undefined;
  readonly journal: JournalLook;
}

/** How well it is measured, and how large things really are. */
export function describeMeasure(sessions: readonly MeasuredSession[]): MeasureView {
  const looks = sessions.flatMap(({ look }) => (look ? [look] : []));
  const judged = looks.flatMap(({ judgement }) => (judgement ? [judgement] : []));
  const summaries = looks.flatMap((look) => look.summaries.map(({ tokens }) => tokens));
  return {
    estimator: { rows: judged.length > 0 ? tellErrors(judged) : [], tooShort: looks.length - judged.length },
    summaries: {
      distribution: describeDistribution(summaries) ?? null,
      tokens: [...summaries].sort((left, right) => left - right),
    },
    results: describeResults(looks),
    hooks: describeHooks(sessions.map(({ journal }) => journal)),
  };
}

function describeResults(looks: readonly CloseLook[]): readonly ToolResults[] {
  const byTool = new Map<string, ResultSizes[]>();
  for (const { results } of looks)
    for (const [tool, sizes] of Object.entries(results)) byTool.set(tool, [...(byTool.get(tool) ?? []), sizes]);
  return [...byTool]
    .map(([tool, all]): ToolResults => {
      const sizes = joinHistograms(all.map((one) => one.sizes));
      const at = (share: number): number => Math.round(quantileOf(sizes, share));
      return {
        tool,
        count: countAll(sizes),
        totalTokens: all.reduce((sum, { totalTokens }) => sum + totalTokens, 0),
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        largest: at(1),
      };
    })
    .sort((left, right) => right.totalTokens - left.totalTokens);
}

function describeHooks(journals: readonly JournalLook[]): readonly HookCost[] {
  const runs = new Map<string, RunTimes>();
  for (const journal of journals)
    for (const [name, one] of Object.entries(journal.runs)) {
      const known = runs.get(name);
      runs.set(name, known ? joinRuns(known, one) : one);
    }
  return [...runs.values()]
    .map(
      ({ door, event, totalMs, largestMs, times }): HookCost => ({
        door,
        event,
        runs: countAll(times),
        medianMs: quantileOf(times, 0.5) / 1000,
        p95Ms: quantileOf(times, 0.95) / 1000,
        largestMs,
        totalMs,
      }),
    )
    .sort((left, right) => right.totalMs - left.totalMs);
}
