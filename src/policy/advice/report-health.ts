import { estimateByToolWeights } from "../../measure/compat.ts";
import type { Health } from "../../measure/health.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { describeBoundary } from "./describe-boundary.ts";
import { describeWork } from "./describe-work.ts";
import { isOverBudget, renderContextBudget } from "./render-context-budget.ts";
import { renderHealthReport } from "./render-health-report.ts";

/** What a report is made of, whichever door it is asked at. */
export interface HealthFacts {
  readonly health: Health;
  /** `undefined` where nothing is known of the session but its load. */
  readonly happened: Happened | undefined;
  /** Decisions that lie in the project's files now. */
  readonly savedDecisions: number;
  /** What the first request carried, before a word was said; `undefined` or 0 where nobody saw it. */
  readonly baseTokens: number | undefined;
  /** Where the work lies: paths below it are told from there. */
  readonly root?: string;
  /** The person is the one who asks, so nothing is under way. */
  readonly isAwaitingPerson?: boolean;
}

/** The report that every door gives: the load, what a compaction keeps, and the budget where too much is gone from the start. */
export function reportHealth(facts: HealthFacts): string {
  const { health, happened, savedDecisions, baseTokens = 0, root, isAwaitingPerson } = facts;
  const report = renderHealthReport(health, {
    critical: { ...describeWork(happened, root), decisionsSaved: savedDecisions },
    ...(happened ? { boundary: describeBoundary(happened, isAwaitingPerson) } : {}),
  });
  const { windowTokens } = health;
  return [
    report,
    ...(health.usedTokens === undefined && happened !== undefined ? [renderRuleOfThumb(happened)] : []),
    ...(isOverBudget(baseTokens, windowTokens)
      ? ["", renderContextBudget({ baselineTokens: baseTokens, windowTokens, isRecorded: true })]
      : []),
  ].join("\n");
}

/** Where nothing is measured the seeds' weights are better than nothing, and are called what they are. */
function renderRuleOfThumb({ trail }: Happened): string {
  const calls = new Map<string, number>();
  for (const { tool } of trail.calls) calls.set(tool, (calls.get(tool) ?? 0) + 1);
  const tokens = estimateByToolWeights(Object.fromEntries(calls), 0);
  return `- Rule of thumb: ${(tokens / 1000).toFixed(1)}k tokens by the weight of the tools called; measured sessions held more than twice that`;
}
