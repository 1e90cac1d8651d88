import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json-fields.ts";
import { type Breakpoint, type BreakpointOptions, type BreakpointPlan, planBreakpoints } from "./plan-breakpoints.ts";
import { renderControl } from "./render-system.ts";
import { toBlocks, toList } from "./request-pieces.ts";

export interface PlacedBreakpoints<Request extends object = JsonObject> extends BreakpointPlan {
  /** The identical object where nothing was placed. */
  readonly request: Request;
}

/** A request with its breakpoints, at most four of them, the client's own included. Any SDK's own type of request fits. */
export function placeBreakpoints<Request extends object>(
  request: Request,
  options?: BreakpointOptions,
): PlacedBreakpoints<Request>;
export function placeBreakpoints(request: object, options: BreakpointOptions = {}): PlacedBreakpoints<object> {
  if (!isObject(request))
    throw new TypeError("request must be what you would send: { model, system, tools, messages }");
  const plan = planBreakpoints(request, options);
  return { ...plan, request: plan.placed.reduce(applyBreakpoint, request) };
}

function applyBreakpoint(request: JsonObject, breakpoint: Breakpoint): JsonObject {
  const { place, index, block, ttl } = breakpoint;
  const mark = (value: Json): Json =>
    isObject(value) ? { ...value, cache_control: { ...renderControl(ttl) } } : value;
  if (place === "tools") return { ...request, tools: replaceAt(toList(request.tools), index, mark) };
  if (place === "system") return { ...request, system: replaceAt(toBlocks(request.system), index, mark) };
  const messages = replaceAt(toList(request.messages), index, (message) =>
    isObject(message) ? { ...message, content: replaceAt(toBlocks(message.content), block, mark) } : message,
  );
  return { ...request, messages };
}

function replaceAt(list: readonly Json[], at: number, change: (value: Json) => Json): readonly Json[] {
  return list.map((value, index) => (index === at ? change(value) : value));
}
