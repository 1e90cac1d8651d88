import type { JsonObject } from "../../core/json.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../survive/recall/recall-request.ts";

/** A tool in the list. Kept short: if the client does not defer it, it is in every request. */
export interface ToolSpec {
  readonly name: "recall" | "search" | "list" | "state" | "health";
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Listed in the first request instead of behind the client's tool search. */
  readonly isUpFront: boolean;
}

const PAGED: JsonObject = { type: "object", properties: { page: { type: "integer" } } };

/** Only `recall` belongs in every request, because markers in the conversation name it. Tool search finds the others when needed. */
export const TOOLS: readonly ToolSpec[] = [
  { name: "recall", description: RECALL_DESCRIPTION, inputSchema: RECALL_PARAMETERS, isUpFront: true },
  {
    name: "search",
    description: "Search everything like pattern.",
    inputSchema: {
      type: "object",
      properties: { query: { type: "string" }, page: { type: "integer" } },
      required: ["query"],
    },
    isUpFront: false,
  },
  { name: "list", description: "Folded originals.", inputSchema: PAGED, isUpFront: false },
  {
    name: "state",
    description: "Tasks, decisions, files, failures; task: its packet.",
    inputSchema: { type: "object", properties: { task: {} } },
    isUpFront: false,
  },
  {
    name: "health",
    description: "How full the window is.",
    inputSchema: { type: "object", properties: { caller: {} } },
    isUpFront: false,
  },
];
