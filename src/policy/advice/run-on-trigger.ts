import type { Health } from "../../measure/health.ts";
import { parseTrigger, type Trigger } from "./parse-trigger.ts";
import { type Recommendation, recommend } from "./recommend.ts";
import { type ReportFacts, renderHealthReport } from "./render-health-report.ts";

/** One run: why it was made, what the caller should do, and the report it reads. */
export interface Run {
  readonly trigger: Trigger;
  readonly recommendation: Recommendation;
  readonly report: string;
}

/** A run for an event's payload; nothing for a payload that is no reason to run. */
export function runOnTrigger(payload: unknown, health: Health, facts: ReportFacts): Run | undefined {
  const trigger = parseTrigger(payload);
  if (trigger === undefined) return undefined;
  return { trigger, recommendation: recommend(health.level), report: renderHealthReport(health, facts) };
}
