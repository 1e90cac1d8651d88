import { chain, type PolicyCommand, type PolicyStep } from "../../policy/command.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import { pauseLeft, remembered } from "../../policy/steps/looped.ts";
import { saved } from "../../policy/steps/measured.ts";
import type { HookAnswer, HookContext, HookInput } from "./hook.ts";

export async function settleStep(
  input: HookInput,
  context: HookContext,
  { step: given, model }: { readonly step: PolicyStep; readonly model: string },
): Promise<PolicyStep> {
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

/** Commands as a hook's answer to the client. The caller has performed a save before. */
export function answerStep(commands: readonly PolicyCommand[], deeds: readonly DeedDetail[] = []): HookAnswer {
  const texts = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  const warnings = commands.flatMap((command) => (command.kind === "warn" ? [`plimsoll: ${command.text}`] : []));
  const refusal = commands.find((command) => command.kind === "refuse");
  const output = {
    ...(texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") }),
    ...(refusal ? { permissionDecision: "deny", permissionDecisionReason: refusal.why } : {}),
  };
  return {
    ...(Object.keys(output).length === 0 ? {} : { output }),
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.join("\n") }),
    deeds: [...deeds, ...commands.flatMap((command) => (command.kind === "note" ? [command.deed] : []))],
  };
}
