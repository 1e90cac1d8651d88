import { chain, type Step } from "../../policy/command.ts";
import { saved } from "../../policy/steps/measured.ts";
import type { HookContext, HookInput } from "./hook.ts";

/** Performs a save that a step asks for, and lets the policy say what came of it. */
export async function settleStep(
  input: HookInput,
  context: HookContext,
  { step, model }: { readonly step: Step; readonly model: string },
): Promise<Step> {
  if (!step.commands.some(({ kind }) => kind === "save")) return step;
  const { trySave } = await import("./save-state.ts");
  const why = await trySave(input, context);
  return chain(step, (state) => saved(state, { why, model: () => model }, context.settings));
}
