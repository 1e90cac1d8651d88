import type { JsonObject } from "../../core/json.ts";
import { countDecisions } from "../../files/count-decisions.ts";
import { assessHealth } from "../../measure/health.ts";
import { renderShare, renderTokens } from "../../measure/render-load.ts";
import { CALLERS } from "../../policy/advice/parse-trigger.ts";
import { reportHealth } from "../../policy/advice/report-health.ts";
import { renderRun, runOnTrigger } from "../../policy/advice/run-on-trigger.ts";
import { locateData } from "../../policy/deeds/data-paths.ts";
import type { Picture } from "../../survive/recall/picture.ts";
import { listOriginals, renderOriginals } from "./list-originals.ts";
import { recall } from "./recall.ts";
import { renderPacket } from "./render-packet.ts";
import { renderState } from "./render-state.ts";
import { search } from "./search.ts";
import type { ServerSession } from "./server-session.ts";
import { TOOLS, type ToolSpec } from "./tools.ts";

export interface ToolAnswer {
  /** Texts and pictures in their order. */
  readonly blocks: readonly (string | Picture)[];
  readonly isError: boolean;
}

/** One call. Never throws: what went wrong is an answer that the model can read. */
export async function callTool(session: ServerSession, name: string, input: JsonObject): Promise<ToolAnswer> {
  const tool = TOOLS.find((spec) => spec.name === name);
  if (!tool) return fail(`There is no tool "${name}": ${TOOLS.map((spec) => spec.name).join(", ")}`);
  try {
    if (tool.name !== "recall") return { blocks: [answer(session, tool.name, input)], isError: false };
    const recalled = await recall(session, input);
    return recalled.isError ? fail(recalled.words) : recalled;
  } catch (error) {
    return fail(`Could not do that: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(words: string): ToolAnswer {
  return { blocks: [words], isError: true };
}

function answer(session: ServerSession, name: Exclude<ToolSpec["name"], "recall">, input: JsonObject): string {
  const { page, query } = input;
  const wanted = typeof page === "number" ? page : undefined;
  switch (name) {
    case "search":
      return search(session, typeof query === "string" ? query : "", wanted);
    case "list":
      return renderOriginals(session, wanted);
    case "state":
      return typeof input.task === "string" ? renderPacket(session, input) : renderState(session);
    case "health":
      return renderHealth(session, input);
  }
}

/** How full, how near the line, and how we know. */
function renderHealth(session: ServerSession, { caller, occasion }: JsonObject): string {
  const followed = session.follow();
  if (followed === undefined) return "Nothing is recorded of this session yet.";
  const { host, environment, project, configFolder } = session.place;
  const settings = host.readCompactionSettings(environment, project);
  const health = assessHealth(followed.meter, { settings });
  const facts = {
    health,
    happened: { state: followed.session, trail: followed.trail },
    savedDecisions: countDecisions(project, locateData(configFolder)),
    baseTokens: followed.meter.baseTokens,
  };
  if (caller !== undefined) {
    const run = runOnTrigger({ event: "context.boundary", caller, occasion }, facts);
    return run === undefined ? `No such caller or occasion. Callers: ${CALLERS.join(", ")}` : renderRun(run);
  }
  const left = health.tokensToLine === undefined ? "" : `, ${renderTokens(health.tokensToLine)} to compaction`;
  const requests =
    health.requestsToLine === undefined ? "" : `, about ${health.requestsToLine} requests at the present pace`;
  return [
    `${health.level}: ${renderShare(health)}${left}${requests}`,
    `Source: ${health.source}, ${health.confidence} (${health.note})`,
    `${health.toolCalls} tool calls, ${health.compactions} compactions, ${listOriginals(session).length} results folded`,
    "",
    reportHealth(facts),
  ].join("\n");
}
