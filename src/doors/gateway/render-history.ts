import type { SessionEvent } from "../../core/event.ts";
import type { Message } from "../../core/message.ts";
import type { Host } from "../../hosts/host.ts";
import { createSession } from "../../session/session.ts";
import { renderRecord } from "../../survive/record/record.ts";
import { createTrail } from "../../survive/record/trail.ts";

/** The record of what happened in a conversation, in the place of a model's summary: in milliseconds, and the same for the same history. */
export function renderHistory(messages: readonly Message[], { vocabulary }: Host): string {
  const session = createSession(vocabulary);
  const trail = createTrail(vocabulary);
  for (const event of messages.flatMap(toEvents)) {
    session.feed(event);
    trail.feed(event);
  }
  return renderRecord({ state: session.state(), trail: trail.state() }).text;
}

/** Without times and usage: a request tells of neither. */
function toEvents({ role, blocks }: Message, index: number): readonly SessionEvent[] {
  const origin = `message:${index}`;
  const situated = { origin, atMs: undefined };
  if (role === "system") return [];
  if (role === "assistant")
    return [{ kind: "output", ...situated, stepId: origin, model: "", usage: undefined, isOutputFinal: false, blocks }];
  return blocks.map((block): SessionEvent => {
    const source = block.kind === "toolResult" ? "toolResult" : "prompt";
    return { kind: "arrival", ...situated, source, label: source, role: "user", block, detail: undefined };
  });
}
