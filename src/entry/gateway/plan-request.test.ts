/** If red: a conversation is shortened further than it needs to be, or a request is sent that does not fit. */
import { expect, it } from "vitest";
import type { Message } from "../../core/message.ts";
import { emptyCacheState } from "../../models/economics/cache-state.ts";
import { createRequestPlanner } from "./plan-request.ts";

const MODEL = "claude-sonnet-4-6";
const BASE_TOKENS = 10_000;
/** What such a model's window has left for the conversation, and where its client would compact. */
const FITS_TOKENS = 200_000 - 20_000 - BASE_TOKENS;
const POINT_TOKENS = FITS_TOKENS - 13_000;

/** A tool loop that is a little too large for the window, with one large output to fold and thinking in its last answer. */
function overflowingLoop(): readonly Message[] {
  const { weigh } = createRequestPlanner();
  const view: Message[] = [];
  for (let step = 0; weigh(view, MODEL) <= FITS_TOKENS; step++) {
    const callId = `toolu_${step}`;
    const lines = Array.from({ length: step === 0 ? 600 : 60 }, (_, line) => `frame ${step * 7919 + line} of the hull`);
    const parts = [{ kind: "text", text: lines.join("\n") }] as const;
    const call = {
      kind: "toolCall",
      id: `c${step}`,
      callId,
      tool: "Bash",
      input: { command: `survey ${step}` },
    } as const;
    view.push(
      { id: `a${step}`, role: "assistant", blocks: [call] },
      { id: `u${step}`, role: "user", blocks: [{ kind: "toolResult", id: `r${step}`, callId, parts, isError: false }] },
    );
  }
  const thinking = { kind: "thinking", id: "t", text: "Hm.", signature: "c2ln" } as const;
  return view.map((message, index) =>
    index === view.length - 2 ? { ...message, blocks: [thinking, ...message.blocks] } : message,
  );
}

it.each([
  { isAlwaysBound: false, from: 0, to: POINT_TOKENS },
  { isAlwaysBound: true, from: POINT_TOKENS, to: FITS_TOKENS },
])("goes on to the compaction point, or only until it fits where thinking is bound: $isAlwaysBound", (expected) => {
  const { isAlwaysBound, from, to } = expected;
  const planner = createRequestPlanner({ isAlwaysBound });
  const view = overflowingLoop();
  const cache = { ...emptyCacheState, model: MODEL, lastUsedMs: 0 };
  const facts = { cache, requests: 1, baseTokens: BASE_TOKENS, lastSentMessage: "a0", lastSentHash: "", outlived: 0 };
  const { messages } = planner.plan({
    view,
    newFrom: view.length,
    model: MODEL,
    facts,
    nowMs: 1,
    isClearedByServer: false,
    isTimeSpent: () => false,
  });
  expect(planner.weigh(messages, MODEL)).toBeGreaterThan(from);
  expect(planner.weigh(messages, MODEL)).toBeLessThanOrEqual(to);
});
