import { createBlockIds, type Identity } from "../../src/core/block-id.ts";
import type { Block, Message, Role } from "../../src/core/message.ts";
import type { Recording } from "../../src/measure/recording.ts";

/** A recorded session as the messages of its requests. */
export interface RecordedHistory {
  readonly messages: readonly Message[];
  /** Number of messages that each request carried. */
  readonly requests: readonly number[];
}

/**
 * Joined across compactions, the client's own summaries left out, as if nobody had ever compacted; or only what was sent
 * since the last compaction, summary included.
 */
export function createRecordedHistory(recording: Recording, since: "start" | "lastCompaction"): RecordedHistory {
  const { waiting } = recording;
  const steps = since === "start" ? recording.steps : keepLastWindow(recording.steps);
  const nameBlock = createBlockIds();
  const messages: Message[] = [];
  const requests: number[] = [];
  const push = (id: string, role: Role, blocks: readonly Block[]): void => {
    if (blocks.length === 0) return;
    const named = blocks.map((block) => ({ ...block, id: nameBlock(identify(block)) }));
    messages.push({ id, role, blocks: named });
  };
  const pushArrivals = (id: string, arrivals: Recording["waiting"]): void => {
    for (const role of ["user", "system"] as const) {
      const said = arrivals.filter(
        (arrival) =>
          (since !== "start" || arrival.source !== "summary") && (arrival.role === "system") === (role === "system"),
      );
      push(
        `${id}:${role}`,
        role,
        said.map(({ block }) => block),
      );
    }
  };
  for (const step of steps) {
    pushArrivals(`${step.id}:in`, step.arrivals);
    requests.push(messages.length);
    push(step.id, "assistant", step.outputs);
  }
  pushArrivals("waiting", waiting);
  return { messages, requests };
}

function keepLastWindow(steps: Recording["steps"]): Recording["steps"] {
  const window = steps.at(-1)?.window;
  return steps.filter((step) => step.window === window);
}

function identify(block: Block): Identity {
  switch (block.kind) {
    case "toolCall":
    case "toolResult":
      return { kind: block.kind, callId: block.callId };
    case "text":
      return { kind: "text", content: block.text };
    case "thinking":
      return { kind: "thinking", content: block.signature };
    default:
      return { kind: block.kind, content: JSON.stringify(block.raw) };
  }
}

/** Weighs each message once: they are the same objects from request to request. */
export function createCachedCounter(countTokens: (message: Message) => number): (message: Message) => number {
  const known = new WeakMap<Message, number>();
  return (message) => {
    const tokens = known.get(message) ?? countTokens(message);
    known.set(message, tokens);
    return tokens;
  };
}
