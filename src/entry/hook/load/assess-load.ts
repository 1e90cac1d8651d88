import { assessHealth, type Health } from "../../../measure/health.ts";
import { emptyLoad as emptyWaiting } from "../../../measure/load.ts";
import { type CurrentStep, emptyMeter } from "../../../measure/meter.ts";
import type { HookContext } from "../hook.ts";
import { readLineSettings } from "../status/read-line-settings.ts";
import { type HookLoad, readCalls, readOwnLoad, readWindow } from "./read-load.ts";

export function assessLoad(context: HookContext): Health {
  return weighLoad(readOwnLoad(context), context);
}

export function weighLoad(load: HookLoad, context: HookContext): Health {
  const { main, before, largeReads } = readCalls(context);
  const { usage, model, compactions, autoPreTokens, largestContextTokens } = load;
  const current: CurrentStep | undefined = usage && {
    id: load.stepId,
    model,
    atMs: undefined,
    usage,
    isOutputFinal: true,
    answer: emptyWaiting,
  };
  const windowTokens = readWindow(model, context);
  return assessHealth(
    {
      ...emptyMeter,
      toolCalls: main,
      callsBefore: before,
      largeReads,
      current,
      compactions,
      autoPreTokens,
      largestContextTokens,
    },
    {
      profile: context.settings.profile,
      settings: readLineSettings(context),
      // The window size that the client names. The usage comes from the transcript, which is as exact and newer.
      ...(windowTokens === undefined ? {} : { client: { usedTokens: 0, windowTokens } }),
    },
  );
}
