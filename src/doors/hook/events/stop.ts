import { writeColdTasks } from "../../../files/cold-tasks.ts";
import { responded } from "../../../policy/steps/said.ts";
import { checkFolds } from "../check-folds.ts";
import { coldSessionOf, measureCold } from "../cold-session.ts";
import type { Hook } from "../hook.ts";
import { readPolicy, writePolicy } from "../policy-files.ts";
import { landRestore } from "../restore.ts";
import { openSessionData } from "../session-data.ts";

/** The person reads, so there is time: what the session has come to is brought up to date and saved. */
export const stop: Hook = async (input, context) => {
  const deeds = [...checkFolds(input, context), ...landRestore(input, context).deeds];
  const data = openSessionData(input, context);
  if (data === undefined) return { deeds };
  if (context.folder !== undefined)
    await writeColdTasks(coldSessionOf(input, context), measureCold(data, context), () => data.happened().state);
  data.save();
  countResponse(context.folder);
  return { deeds, client: data.version };
};

/** Who is asked to write tersely does not begin with the first response of a task: they are counted while it matters. */
function countResponse(folder: string | undefined): void {
  const before = readPolicy(folder);
  const { manual, auto } = before.red.density;
  if (manual === "caveman" || auto !== null) writePolicy(folder, before, responded(before));
}
