import { assessHealth } from "../../measure/health.ts";
import { renderShare, renderTokens } from "../../measure/render-load.ts";
import { listOriginals } from "./list-originals.ts";
import type { ServerSession } from "./server-session.ts";

/** How full, how near the line, and how we know. */
export function renderHealth(session: ServerSession): string {
  const followed = session.follow();
  if (followed === undefined) return "Nothing is recorded of this session yet.";
  const { host, environment, project } = session.place;
  const settings = host.readCompactionSettings(environment, project);
  const health = assessHealth(followed.meter, { settings });
  const left = health.tokensToLine === undefined ? "" : `, ${renderTokens(health.tokensToLine)} to compaction`;
  const turns = health.turnsToLine === undefined ? "" : `, about ${health.turnsToLine} requests at the present pace`;
  return [
    `${health.level}: ${renderShare(health)}${left}${turns}`,
    `Source: ${health.source}, ${health.confidence} (${health.note})`,
    `${health.toolCalls} tool calls, ${health.compactions} compactions, ${listOriginals(session).length} results folded`,
  ].join("\n");
}
