import { nodeProjectFiles } from "../../../files/node-project-files.ts";
import { findPlan } from "../../../files/project-reader.ts";
import type { PolicyStep } from "../../../policy/command.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { type LoopMoment, looped } from "../../../policy/steps/looped.ts";
import type { HookContext, HookInput } from "../hook.ts";
import { hearResult, openSessionData } from "../session-data.ts";
import { settleStep } from "../settle-step.ts";

export async function followLoop(
  input: HookInput,
  context: HookContext,
  { state, moment, model }: { readonly state: PolicyState; readonly moment: LoopMoment; readonly model: string },
): Promise<PolicyStep> {
  const data = openSessionData(input, context);
  const happened = data && hearResult(data.happened(), input);
  const plan = await findPlan(nodeProjectFiles, context.project);
  const step = looped(state, { ...moment, happened, plan, model: () => model });
  data?.save();
  return settleStep(input, context, { step, model });
}
