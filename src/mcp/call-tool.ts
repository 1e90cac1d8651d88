import type { JsonObject } from "../core/json.ts";
import { renderOriginals } from "./list-originals.ts";
import { recall } from "./recall.ts";
import { renderHealth } from "./render-health.ts";
import { renderState } from "./render-state.ts";
import { search } from "./search.ts";
import type { ServerSession } from "./server-session.ts";
import { TOOLS, type ToolSpec } from "./tools.ts";

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** One call. Never throws: what went wrong is an answer that the model can read. */
export function callTool(session: ServerSession, name: string, input: JsonObject): ToolAnswer {
  const tool = TOOLS.find((spec) => spec.name === name);
  if (!tool) return { text: `There is no tool "${name}": ${TOOLS.map((spec) => spec.name).join(", ")}`, isError: true };
  try {
    return { text: answer(session, tool.name, input), isError: false };
  } catch (error) {
    return { text: `Could not do that: ${error instanceof Error ? error.message : String(error)}`, isError: true };
  }
}

function answer(session: ServerSession, name: ToolSpec["name"], input: JsonObject): string {
  const { page, query } = input;
  const wanted = typeof page === "number" ? page : undefined;
  switch (name) {
    case "recall":
      return recall(session, input);
    case "search":
      return search(session, typeof query === "string" ? query : "", wanted);
    case "list":
      return renderOriginals(session, wanted);
    case "state":
      return renderState(session);
    case "health":
      return renderHealth(session);
  }
}
