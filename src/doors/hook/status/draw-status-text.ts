import { parseHookInput } from "../../../hosts/claude-code/hook-input.ts";
import type { Status, StatusSegment } from "../../../measure/status-line.ts";
import { buildContext, locatePlaces } from "../build-context.ts";
import type { HookContext } from "../hook.ts";
import { projectLayer } from "../project-layer.ts";
import { drawStatus, paintStatus } from "./draw-status.ts";

/** From the client's JSON to the line; `undefined` if it is no status, or if Plimsoll is off. */
export function drawStatusText(
  text: string,
  env: HookContext["env"],
  segments?: readonly StatusSegment[],
): { readonly status: Status; readonly line: string } | undefined {
  const input = parseHookInput("statusline", text);
  if (input === undefined) return undefined;
  const built = buildContext(input, env, projectLayer(locatePlaces(input, env)));
  if (!built.settings.isOn) return undefined;
  const context = segments ? { ...built, settings: { ...built.settings, statusLine: segments } } : built;
  const status = drawStatus(context);
  return { status, line: paintStatus(status, context) };
}
