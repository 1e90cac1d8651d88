import type { ApiRequest } from "./api-request.ts";
import type { Scenario, Script, Turn } from "./scenario.ts";
import { refuse, summary } from "./turns.ts";

export interface TakenTurn {
  readonly turn: Turn;
  /** Unique per conversation and turn: `main_3`, `agent1_0`, `compaction_0`. */
  readonly label: string;
}

/** Creates the function that hands out a scenario's turns, one per request, each conversation at its own pace. */
export function createTurnTaker(scenario: Scenario): (request: ApiRequest) => TakenTurn {
  const agentIds: string[] = [];
  const taken = new Map<string, number>();
  return (request) => {
    if (request.lane === "subagent" && !agentIds.includes(request.agentId)) agentIds.push(request.agentId);
    const agentIndex = agentIds.indexOf(request.agentId);
    const lane = request.lane === "subagent" ? `agent${agentIndex + 1}` : request.lane;
    const turnIndex = taken.get(lane) ?? 0;
    taken.set(lane, turnIndex + 1);
    const script = scriptOf(scenario, request, agentIndex);
    const turn = typeof script === "function" ? script(request, turnIndex) : script[turnIndex];
    const label = `${lane}_${turnIndex}`;
    return { label, turn: turn ?? refuse(400, "invalid_request_error", `the scenario has no turn for ${label}`) };
  };
}

function scriptOf(scenario: Scenario, request: ApiRequest, agentIndex: number): Script {
  if (request.lane === "main") return scenario.main;
  if (request.lane === "compaction") return scenario.compaction ?? (() => summary("The session so far, in short."));
  const scripts = scenario.subagents ?? [];
  return scripts[Math.min(agentIndex, scripts.length - 1)] ?? [];
}
