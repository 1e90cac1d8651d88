import { isObject } from "../../core/json.ts";
import type { Level } from "../../measure/level.ts";
import { type HealthFacts, RECOMMENDATIONS, type Recommendation, reportHealth } from "./report-health.ts";

/** Who may ask, and on which occasions. */
const OCCASIONS = {
  cook: ["phase-boundary", "tool-count"],
  team: ["before-dispatch", "after-merge"],
  rescue: ["between-sessions"],
  "context-pack": ["handoff"],
  "session-bridge": ["compaction-timing"],
  adversary: ["oracle-preview"],
} as const;

type Caller = keyof typeof OCCASIONS;

export const CALLERS: readonly Caller[] = Object.keys(OCCASIONS).filter(isCaller);

export function listOccasions(caller: Caller): readonly string[] {
  return OCCASIONS[caller];
}

export type Trigger =
  | { readonly kind: "boundary"; readonly caller: Caller; readonly occasion: string }
  | { readonly kind: "threshold"; readonly from: Level; readonly to: Level }
  | { readonly kind: "compaction"; readonly by: string };

const LEVELS: readonly Level[] = ["GREEN", "YELLOW", "ORANGE", "RED"];

/** `undefined` for an unknown event, for a caller or an occasion that is not on the list, and for a level that was not crossed. */
export function parseTrigger(payload: unknown): Trigger | undefined {
  const fields = isObject(payload) ? payload : {};
  switch (fields.event) {
    case "context.boundary": {
      const { caller, occasion } = fields;
      if (!isCaller(caller)) return undefined;
      const [usual] = OCCASIONS[caller];
      const known = OCCASIONS[caller].find((candidate) => candidate === (occasion ?? usual));
      return known && { kind: "boundary", caller, occasion: known };
    }
    case "context.threshold": {
      const from = LEVELS.find((level) => level === fields.from);
      const to = LEVELS.find((level) => level === fields.to);
      return from && to && from !== to ? { kind: "threshold", from, to } : undefined;
    }
    case "context.compaction":
      return { kind: "compaction", by: typeof fields.by === "string" ? fields.by : "unknown" };
    default:
      return undefined;
  }
}

export function isCaller(id: unknown): id is Caller {
  return typeof id === "string" && Object.hasOwn(OCCASIONS, id);
}

/** One run: its reason, what the caller should do, and the report for the caller. */
export interface Run {
  readonly trigger: Trigger;
  readonly recommendation: Recommendation;
  readonly report: string;
}

/** Runs for an event's payload; `undefined` if the payload is no reason to run. */
export function runOnTrigger(payload: unknown, facts: HealthFacts): Run | undefined {
  const trigger = parseTrigger(payload);
  if (trigger === undefined) return undefined;
  return { trigger, recommendation: RECOMMENDATIONS[facts.health.level], report: reportHealth(facts) };
}

export function renderRun({ trigger, recommendation, report }: Run): string {
  const why = trigger.kind === "boundary" ? `${trigger.caller}, ${trigger.occasion}` : trigger.kind;
  return `${report}\n\nrecommendation for ${why}: ${recommendation}`;
}
