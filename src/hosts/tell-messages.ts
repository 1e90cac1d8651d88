import type { SessionEvent } from "../core/event.ts";
import type { Message } from "../core/message.ts";

/** A conversation as events, by which it is known what happened in it: without times and usage. */
export function tellMessages(messages: readonly Message[]): readonly SessionEvent[] {
  return messages.flatMap(({ id: origin, role, blocks }): readonly SessionEvent[] => {
    const situated = { origin, atMs: undefined };
    if (role !== "assistant")
      return blocks.map((block) => {
        const source = block.kind === "toolResult" ? "toolResult" : isOfHost(block) ? "reminder" : "prompt";
        return { kind: "arrival", ...situated, source, label: source, role, block, detail: undefined };
      });
    const isTurnEnd = !blocks.some(({ kind }) => kind === "toolCall");
    const unknown = { model: "", usage: undefined, isOutputFinal: false };
    return [{ kind: "output", ...situated, stepId: origin, ...unknown, isTurnEnd, blocks }];
  });
}

function isOfHost(block: Message["blocks"][number]): boolean {
  return block.kind === "opaque" || (block.kind === "text" && block.author !== "person");
}
