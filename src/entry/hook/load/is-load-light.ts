import { join } from "node:path";
import { isObject, numberField, textField } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { decideCompactionPoint } from "../../../measure/compaction-point.ts";
import { classifyCalls, classifyMeasured, classifyPercent } from "../../../measure/level.ts";
import { decideModelWindow } from "../../../models/find-model.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import type { HookContext } from "../hook.ts";
import { readLineSettings } from "../status/read-line-settings.ts";
import { readCalls } from "./count-calls.ts";
import type { HookLoad } from "./read-load.ts";

/** Whether the load is GREEN by every table: there is then nothing to weigh, and the exact code need not be loaded. False in every doubt. */
export function isLoadLight(load: HookLoad, context: HookContext): boolean {
  const { profile } = context.settings;
  if (load.usage === undefined || profile === "calls") {
    const { main, before, largeReads } = readCalls(context);
    if (classifyCalls(main - before, largeReads > 0) !== "GREEN") return false;
  }
  if (load.usage === undefined) return true;
  const used = sumContextTokens(load.usage);
  const window = decideModelWindow(load.model, { largestContextTokens: load.largestContextTokens });
  const windowTokens = readWindow(load.model, context) ?? window.windowTokens;
  // For the other profiles, an advisory on the rest of the raw window applies as well.
  if (profile !== "measured" && classifyPercent((used / windowTokens) * 100) !== "GREEN") return false;
  const settings = readLineSettings(context);
  const point = decideCompactionPoint({ ...window, windowTokens }, settings, load.autoPreTokens);
  return classifyMeasured(used, point.tokens) === "GREEN";
}

/** The window size from the client's status line, if that is set up and the model is still the same. */
export function readWindow(model: string, { folder }: HookContext): number | undefined {
  const reading = folder === undefined ? undefined : readObject(join(folder, SESSION_FILES.reading));
  if (reading === undefined || model === "" || textField(reading, "model") !== model) return undefined;
  const window = reading.context_window;
  const tokens = isObject(window) ? numberField(window, "context_window_size") : undefined;
  return tokens !== undefined && tokens > 0 ? tokens : undefined;
}
