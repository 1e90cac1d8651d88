import type { RequestPlanner } from "./plan-request.ts";
import { parseRequest } from "./request/parse-request.ts";
import { assumeFacts } from "./request/session-facts.ts";
import { spliceMessages } from "./request/splice-messages.ts";

const ROUNDS = 12;

/** The first runs of code are slow, 40 ms instead of 2: better on a made-up request than on a person's first. */
function warmUp(planner: RequestPlanner): void {
  const text = Array.from({ length: 600 }, (_, line) => `src/hull.ts:${line}: draught ${line * 7919}`).join("\n");
  for (let round = 0; round < ROUNDS; round++) {
    const messages = [
      { role: "user", content: "Survey the hull." },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "survey" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: `${text}\n${round}` }] },
    ];
    const request = parseRequest(Buffer.from(JSON.stringify({ model: "claude-opus-5", messages })));
    if (!request) return;
    const { model } = request.fields;
    const view = request.conversation.messages;
    const facts = assumeFacts(view, request.fields, planner, 0);
    const isTimeSpent = (): boolean => false;
    const plan = planner.plan({ view, newFrom: 1, model, facts, nowMs: 0, isClearedByServer: false, isTimeSpent });
    spliceMessages(request, plan.messages, new WeakMap());
    planner.planHarder(view, model);
  }
}

/** A planner that fails here also fails open with every request. */
export function tryWarmUp(planner: RequestPlanner): void {
  try {
    warmUp(planner);
  } catch {
    // Counted as an incident as soon as it affects a request.
  }
}
