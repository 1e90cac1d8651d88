import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import { findModel } from "../../models/find-model.ts";
import { type Carried, type Due, type DueSettings, decideDue } from "../../policy/collapse-due.ts";
import { describeNoteCost } from "../../policy/note.ts";
import { chooseObjective } from "../../policy/objective.ts";
import type { ClientPort } from "./client-port.ts";
import type { Live } from "./live.ts";

/** The smallest window that the client accepts, and what it reserves of it for an answer. */
const LEAST_WINDOW = 100_000;
const EFFECTIVE = LEAST_WINDOW - 20_000;

/** Whether the window is to be compacted now; `undefined` if not, if no load is known, or if the person has switched it off. */
export function lookDue(live: Live, nowMs: number): Due | undefined {
  const carried = live.steering.isOn ? describeCarried(live, nowMs) : undefined;
  return carried && decideDue(carried, settingsOf(live));
}

export function describeCarried(
  { watch, settings, steering, cacheLife, learned, recalls }: Live,
  nowMs: number,
): Carried | undefined {
  const contextTokens = watch.contextTokens();
  if (contextTokens === undefined) return undefined;
  const { steps, model, level, compactionPointTokens } = watch.health();
  const lastMs = watch.lastAnswerMs();
  const { short, long } = findModel(model).cacheLifeMs;
  const lifeMs = cacheLife.isHour ? long : short;
  return {
    contextTokens,
    level,
    compactionPointTokens,
    work: watch.work(),
    load: watch.load(POLICY_SETTINGS[settings.policy]),
    stepsSinceLast: steering.stepsAtLast === undefined ? undefined : steps - steering.stepsAtLast,
    occasion: {
      baseTokens: watch.baseTokens(),
      repeatedTokens: watch.repeatedTokens(),
      model,
      isCold: lastMs !== undefined && nowMs - lastMs > lifeMs,
      share1h: cacheLife.isHour ? 1 : 0,
      marks: "client",
      weights: learned,
      recallsPerCompaction: recalls.rate,
      question: settings.hasNote ? describeNoteCost(contextTokens) : undefined,
    },
  };
}

export function settingsOf({ settings, limits, learned }: Live): DueSettings {
  return { ...settings, objective: chooseObjective(settings.objective, limits, learned) };
}

/** Starts a compaction: before every request, also in a turn, the client calls `session.compact` where the window is fuller than this, and we answer at once. */
export function lower($: ClientPort, live: Live): void {
  const percent = Math.max(5, Math.floor(((live.watch.contextTokens() ?? 0) * 0.9 * 100) / EFFECTIVE));
  live.line.isLowered = true;
  $.ui.line({ window: String(LEAST_WINDOW), percent: String(Math.min(80, percent)) });
}

/** Restores the person's own values. */
export function raise($: ClientPort, { line }: Live): void {
  if (!line.isLowered) return;
  line.isLowered = false;
  $.ui.line(undefined);
}
