import { writeColdTasks } from "../../../files/cold-tasks.ts";
import type { ColdMoment } from "../../../survive/cold-tasks/is-look-due.ts";
import { coldSessionOf } from "../cold-session.ts";
import type { HookContext, HookInput } from "../hook.ts";
import { openSessionData, type SessionData } from "../session-data.ts";

export async function lookAfterCall(input: HookInput, context: HookContext, moment: ColdMoment): Promise<void> {
  let data: SessionData | undefined;
  await writeColdTasks(coldSessionOf(input, context), moment, () => {
    data = openSessionData(input, context);
    return data?.happened().state;
  });
  data?.save();
}
