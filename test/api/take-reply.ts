import type { ApiRequest } from "./api-request.ts";
import { refuse, summary } from "./replies.ts";
import type { Reply, Scenario, Script } from "./scenario.ts";

export interface TakenReply {
  readonly reply: Reply;
  /** Unique per conversation and reply: `main_3`, `agent1_0`, `compaction_0`. */
  readonly label: string;
}

/** Creates the function that hands out a scenario's replies, one per request, each conversation at its own pace. */
export function createReplyTaker(scenario: Scenario): (request: ApiRequest) => TakenReply {
  const agentIds: string[] = [];
  const taken = new Map<string, number>();
  return (request) => {
    if (request.lane === "subagent" && !agentIds.includes(request.agentId)) agentIds.push(request.agentId);
    const agentIndex = agentIds.indexOf(request.agentId);
    const lane = request.lane === "subagent" ? `agent${agentIndex + 1}` : request.lane;
    const replyIndex = taken.get(lane) ?? 0;
    taken.set(lane, replyIndex + 1);
    const script = scriptOf(scenario, request, agentIndex);
    const reply = typeof script === "function" ? script(request, replyIndex) : script[replyIndex];
    const label = `${lane}_${replyIndex}`;
    return { label, reply: reply ?? refuse(400, "invalid_request_error", `the scenario has no reply for ${label}`) };
  };
}

function scriptOf(scenario: Scenario, request: ApiRequest, agentIndex: number): Script {
  if (request.lane === "main") return scenario.main;
  if (request.lane === "compaction") return scenario.compaction ?? (() => summary("The session so far, in short."));
  if (request.lane === "note") return scenario.note ?? [];
  const scripts = scenario.subagents ?? [];
  return scripts[Math.min(agentIndex, scripts.length - 1)] ?? [];
}
