import { chain, type Step } from "../../policy/command.ts";
import { pauseLeft, remembered } from "../../policy/steps/looped.ts";
import { saved } from "../../policy/steps/measured.ts";
import type { HookContext, HookInput } from "./hook.ts";

/** Performs what a step wants written, and lets the policy say what came of it. */
export async function settleStep(
  input: HookInput,
  context: HookContext,
  { step: given, model }: { readonly step: Step; readonly model: string },
): Promise<Step> {
  let step = given;
  if (step.commands.some(({ kind }) => kind === "save")) {
    const { trySave } = await import("./save-state.ts");
    const why = await trySave(input, context);
    step = chain(step, (state) => saved(state, { why, model: () => model }, context.settings));
  }
  const lessons = step.commands.find((command) => command.kind === "remember")?.lessons;
  if (lessons !== undefined) {
    const { tryRemember } = await import("./save-state.ts");
    const why = await tryRemember(context, lessons);
    step = chain(step, (state) => remembered(state, { why, model: () => model, canCompact: false }));
  }
  const pause = step.commands.findLast((command) => command.kind === "continueHere");
  if (pause === undefined) return step;
  const { tryPause } = await import("./save-state.ts");
  const why = await tryPause(context, pause.text);
  step = chain(step, (state) => pauseLeft(state, { reason: pause.reason, why, model: () => model }));
  return why === undefined ? step : chain(step, (state) => ({ state, commands: [noteFailure(why)] }));
}

function noteFailure(why: string) {
  return { kind: "note", deed: { kind: "failed", why } } as const;
}
