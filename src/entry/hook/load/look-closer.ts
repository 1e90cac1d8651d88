import { writeColdTasks } from "../../../files/cold-tasks.ts";
import { nodeProjectFiles } from "../../../files/node-project-files.ts";
import { findPlan } from "../../../files/project-reader.ts";
import type { PolicyStep } from "../../../policy/command.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { type LoopMoment, looped } from "../../../policy/steps/looped.ts";
import type { ColdMoment } from "../../../survive/cold-tasks/is-look-due.ts";
import type { HookContext } from "../hook.ts";
import { coldSessionOf, hearResult, openSessionData, type SessionData } from "../session-data.ts";
import { settleStep } from "../settle-step.ts";

/** What `follow-load.ts` needs the whole session for, which is seldom. */

export async function lookAfterCall(context: HookContext, moment: ColdMoment): Promise<void> {
  let data: SessionData | undefined;
  await writeColdTasks(coldSessionOf(context), moment, () => {
    data = openSessionData(context);
    return data?.happened().state;
  });
  data?.save();
}

export async function followLoop(
  context: HookContext,
  { state, moment, model }: { readonly state: PolicyState; readonly moment: LoopMoment; readonly model: string },
): Promise<PolicyStep> {
  const data = openSessionData(context);
  const happened = data && hearResult(data.happened(), context);
  const plan = await findPlan(nodeProjectFiles, context.project);
  const step = looped(state, { ...moment, happened, plan, model: () => model });
  data?.save();
  return settleStep(context, step, model);
}
