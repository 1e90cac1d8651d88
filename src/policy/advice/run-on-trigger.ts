import { parseTrigger, type Trigger } from "./parse-trigger.ts";
import { type Recommendation, recommend } from "./recommend.ts";
import { type HealthFacts, reportHealth } from "./report-health.ts";

/** One run: why it was made, what the caller should do, and the report it reads. */
export interface Run {
  readonly trigger: Trigger;
  readonly recommendation: Recommendation;
  readonly report: string;
}

/** A run for an event's payload; nothing for a payload that is no reason to run. */
export function runOnTrigger(payload: unknown, facts: HealthFacts): Run | undefined {
  const trigger = parseTrigger(payload);
  if (trigger === undefined) return undefined;
  return { trigger, recommendation: recommend(facts.health.level), report: reportHealth(facts) };
}

/** As a caller reads it. */
export function renderRun({ trigger, recommendation, report }: Run): string {
  const why = trigger.kind === "boundary" ? `${trigger.caller}, ${trigger.occasion}` : trigger.kind;
  return `${report}\n\nrecommendation for ${why}: ${recommendation}`;
}
