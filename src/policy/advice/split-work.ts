import type { Message } from "../../core/message.ts";

export interface WorkSplit {
  readonly summarise: readonly Message[];
  readonly keep: readonly Message[];
}

/** At least 70 % of the weight stays word for word. */
export const SUMMARISED_SHARE = 0.3;

/**
 * Splits off completed work to be summarised: as near to 30 % as a clean cut allows, never above. A call and its result stay on one side,
 * and so do messages that one answer was stored as. `undefined` if there is no clean cut.
 */
export function splitWork(
  messages: readonly Message[],
  countTokens: (message: Message) => number,
): WorkSplit | undefined {
  const weights = messages.map((message) => Math.max(0, countTokens(message)));
  const allowed = weights.reduce((total, weight) => total + weight, 0) * SUMMARISED_SHARE;
  let weight = 0;
  let best = 0;
  for (const [cut, isClean] of findCleanCuts(messages).entries()) {
    if (weight > allowed) break;
    if (isClean) best = cut;
    weight += weights[cut] ?? 0;
  }
  return best === 0 ? undefined : { summarise: messages.slice(0, best), keep: messages.slice(best) };
}

/** For every place before a message: whether each call made before it was also answered before it, or never. */
function findCleanCuts(messages: readonly Message[]): readonly boolean[] {
  const answeredAt = new Map<string, number>();
  for (const [index, { blocks }] of messages.entries())
    for (const block of blocks) if (block.kind === "toolResult") answeredAt.set(block.callId, index);
  let reach = -1;
  let previous: Message | undefined;
  return messages.map((message, index) => {
    const isClean = reach < index && !(previous?.role === "assistant" && message.role === "assistant");
    for (const block of message.blocks)
      if (block.kind === "toolCall") reach = Math.max(reach, answeredAt.get(block.callId) ?? -1);
    previous = message;
    return isClean;
  });
}
