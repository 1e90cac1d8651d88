import { chain, type PolicyStep } from "./command.ts";
import type { Settings } from "./settings/settings.ts";
import { pauseLeft, remembered } from "./steps/looped.ts";
import { saved } from "./steps/measured.ts";

/** How an entry point writes what a step wants written; each answers why it failed, or nothing. */
export interface Saves {
  save(): Promise<string | undefined>;
  remember(lessons: readonly string[]): Promise<string | undefined>;
  pause(text: string): Promise<string | undefined>;
  readonly settings: Settings;
  model(): string;
  /** Whether a compaction can be started from here. */
  canCompact(): boolean;
}

/** Has written what a step wants written, and adds what the policy says to the outcome. */
export async function settleSaves(given: PolicyStep, saves: Saves): Promise<PolicyStep> {
  const { model, settings } = saves;
  let step = given;
  if (step.commands.some(({ kind }) => kind === "save")) {
    const why = await saves.save();
    step = chain(step, (state) => saved(state, { why, model }, settings));
  }
  const lessons = step.commands.find((command) => command.kind === "remember")?.lessons;
  if (lessons !== undefined) {
    const why = await saves.remember(lessons);
    step = chain(step, (state) => remembered(state, { why, model, canCompact: saves.canCompact() }));
  }
  const pause = step.commands.findLast((command) => command.kind === "continueHere");
  if (pause === undefined) return step;
  const why = await saves.pause(pause.text);
  step = chain(step, (state) => pauseLeft(state, { reason: pause.reason, why, model }));
  return why === undefined
    ? step
    : { ...step, commands: [...step.commands, { kind: "note", action: { kind: "failed", why } }] };
}
