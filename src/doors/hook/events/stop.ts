import { assessHealth } from "../../../measure/health.ts";
import { measurePercent } from "../../../policy/advice/quote-health.ts";
import { checkFolds } from "../check-folds.ts";
import { writeColdTasks } from "../cold-tasks.ts";
import type { Hook } from "../hook.ts";
import { landRestore } from "../restore.ts";
import { openSessionData } from "../session-data.ts";

/** The person reads, so there is time: what the session has come to is brought up to date and saved. */
export const stop: Hook = (input, context) => {
  const deeds = [...checkFolds(input, context), ...landRestore(input, context).deeds];
  const data = openSessionData(input, context);
  if (data === undefined) return { deeds };
  const health = assessHealth(data.meter(), { profile: context.settings.profile });
  const moment = { usedPercent: measurePercent(health), calls: health.toolCalls };
  if (context.folder !== undefined) writeColdTasks(data.happened().state, { input, context, moment });
  data.save();
  return { deeds, client: data.version };
};
