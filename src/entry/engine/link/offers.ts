import type { JsonObject } from "../../../core/json.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../../survive/recall/recall-request.ts";

/** The definition for the model; short, because it is in every request. */
export const RECALL_SPEC: JsonObject = {
  name: "recall",
  description: RECALL_DESCRIPTION,
  inputSchema: RECALL_PARAMETERS,
  // Listed from the first request on; otherwise the model finds it by search.
  isDeferred: false,
};

/** The handle by which the model says that a piece of work is done: no tool of its own, which every request would carry. */
export const DONE_HANDLE = "done";

/** The same tool, for a person who lets the model ask. */
export const RECALL_OR_DONE_SPEC: JsonObject = {
  ...RECALL_SPEC,
  description: `${RECALL_DESCRIPTION} Handle "${DONE_HANDLE}" after each finished task: compacts if that pays.`,
};

/** The commands of the person, the one that must not be missing first. */
export const SLASH_COMMANDS = [
  {
    name: "plimsoll",
    description: "Show how full the context window is, what work is open, and what was compacted and why",
    argumentHint: "[status | health | why | open | keep TEXT | forget WHAT | lift N | break compact | off | on | help]",
  },
  {
    name: "caveman",
    description: "Answer tersely with full technical accuracy, until /caveman off",
    argumentHint: "[off]",
  },
] as const;
