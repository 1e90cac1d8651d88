import { type Hook, NOTHING } from "../hook.ts";
import { countCall } from "../load/count-calls.ts";

/** A failed call counts as a call; its output is an error, and errors are never folded. */
export const postToolUseFailure: Hook = (context) => {
  countCall(context, context.agentId === "" ? "m" : "a");
  return NOTHING;
};
