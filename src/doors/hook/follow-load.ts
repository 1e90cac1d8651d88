import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { measurePercent } from "../../policy/advice/quote-health.ts";
import { type Advised, adviseModel } from "./advise-model.ts";
import { weighLoad } from "./assess-load.ts";
import { isColdLookDue, locateColdState } from "./cold-look.ts";
import type { HookContext, HookInput } from "./hook.ts";
import type { Load } from "./read-load.ts";

/** What a load that is not light asks for after a call: cold tasks written down, and the model told. */
export async function followLoad(input: HookInput, context: HookContext, load: Load, call: HookCall): Promise<Advised> {
  const health = weighLoad(load, context);
  const moment = { usedPercent: measurePercent(health), calls: health.toolCalls };
  if (isColdLookDue(call, moment, locateColdState(input, context))) {
    const { lookForColdTasks } = await import("./cold-tasks.ts");
    lookForColdTasks(input, context, moment);
  }
  if (!context.settings.hasAdvisories) return { texts: [], deeds: [] };
  return adviseModel(input, context, { health, model: load.model });
}
