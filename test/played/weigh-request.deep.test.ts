/** If red: a played request weighs other than the recorded one, so played and replayed costs cannot be compared. */
import { describe, expect } from "vitest";
import { type ContentBlock, parseMessagesBody } from "../api/messages-body.ts";
import { createPromptCache } from "../api/prompt-cache.ts";
import { withCorpus } from "../support/needs.ts";
import { chooseSessions, type Playable } from "./choose-sessions.ts";
import { createRequestWeigher } from "./weigh-request.ts";

/** What a client that changes nothing sends before a step, in the order of the recording. */
function listRequests({ session, script }: Playable): readonly (readonly ContentBlock[])[] {
  const blocks: ContentBlock[] = [];
  return script.steps.map(({ prompt, answer }, index) => {
    for (const block of script.steps[index - 1]?.answer ?? []) {
      if (block.type !== "tool_use") continue;
      const result = script.results.get(block.id ?? "");
      if (result) blocks.push({ type: "tool_result", tool_use_id: result.callId, content: result.content });
    }
    blocks.push(...prompt.map((block) => ({ ...block, type: String(block.type) })));
    const request = [...blocks];
    if (index < session.steps.length - 1) blocks.push(...answer.map((block) => ({ ...block })));
    return request;
  });
}

function weigh(playable: Playable, blocks: readonly ContentBlock[]): number {
  const weigher = createRequestWeigher(playable.session, playable.script);
  const cache = createPromptCache({ scale: 1, weigher });
  const body = parseMessagesBody({
    model: "claude-opus-4-6",
    system: [{ type: "text", text: "The system prompt." }],
    messages: [{ role: "user", content: blocks }],
  });
  if (typeof body === "string") throw new Error(body);
  return cache.count(body).input_tokens;
}

describe("a played request", () => {
  withCorpus.it("weighs what replay says that the recorded one weighed, while nothing is changed", () => {
    for (const playable of chooseSessions(12)) {
      const { session } = playable;
      const requests = listRequests(playable);
      for (const at of [0, Math.floor(requests.length / 3), requests.length - 1]) {
        let said = session.baseTokens;
        for (const { joined } of session.steps.slice(0, at + 1))
          for (const block of joined.flatMap(({ blocks }) => blocks)) said += session.weights.get(block) ?? 0;
        const sent = requests[at] ?? [];
        // The client adds a line feed to some prompts.
        const nudged = sent.map((block) => (block.type === "text" ? { ...block, text: `${block.text}\n` } : block));
        for (const ratio of [weigh(playable, sent) / said, weigh(playable, nudged) / said]) {
          expect(ratio, `${playable.id} at ${at}`).toBeGreaterThan(0.97);
          expect(ratio, `${playable.id} at ${at}`).toBeLessThan(1.03);
        }
      }
    }
  });
});
