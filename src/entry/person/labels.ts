import { renderCount } from "../../core/render-count.ts";
import type { CacheMissCause } from "../../measure/cache-miss.ts";

/** The one name of each part of a window, for the command line and the page; JSON has the keys. */
const PARTS: Readonly<Record<string, string>> = {
  base: "system prompt and tools",
  summary: "compaction summary",
  input: "tool calls",
  text: "assistant text",
  thinking: "thinking",
  prompt: "your prompts",
  attachment: "attachments",
  reminder: "reminders and skills",
  beforeFile: "from before this transcript began (not recorded)",
  withCompaction: "added with the compaction (not recorded)",
  withPrompt: "added with your prompts (not recorded)",
};

/** What the columns of the table of agents mean. */
export const DOLLARS_LEGEND: string =
  "Billed: the cost of all recorded requests, as in plimsoll stats. Replayed: the part of that cost from the replayed sessions, without subagents that are recorded inside their files. " +
  "Simulated: the same sessions with the agent's own compaction and a simulated prompt cache, at list prices. " +
  "Saved: the replayed cost of each session times the share of its simulated cost that Plimsoll saves, added up.";

export const UNACCOUNTED = "unaccounted";

const CAUSES: Readonly<Record<CacheMissCause, string>> = {
  idle: "cache expired during a break",
  modelSwitch: "the model changed",
  compaction: "a compaction",
  editedPrefix: "earlier content changed",
  unknown: "unknown",
};

const RESULT = "result:";

export function labelPart(part: string): string {
  if (!part.startsWith(RESULT)) return PARTS[part] ?? part;
  const tool = part.slice(RESULT.length);
  return `results of ${tool === "unknown" ? "an unknown tool" : tool}`;
}

export function labelCause(cause: CacheMissCause): string {
  return CAUSES[cause];
}

export function capitalise(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** Why a sum is a lower bound; empty if it is not. */
export function noteAtLeast(unfinalRequests: number, unpricedRequests: number): readonly string[] {
  const [unpriced, unfinal] = [unpricedRequests, unfinalRequests].map((count) => renderCount(count, "request"));
  const early = `at least: older versions of the agent logged the output of ${unfinal} too early, so its cost is a lower bound.`;
  return [
    ...(unpricedRequests > 0 ? [`at least: ${unpriced} used a model without a known price.`] : []),
    ...(unfinalRequests > 0 ? [early] : []),
  ];
}
