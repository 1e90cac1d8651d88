import type { Block, Message } from "../../src/core/message.ts";
import type { RecordedPast } from "./recorded-past.ts";

/** What the client had in view: its summary with what it put back and kept, then what was said since; nothing where it never compacted. */
export function listClientView({ session, cut, recorded, waiting }: RecordedPast): readonly Message[] {
  const compaction = session.compactions.findLast(({ step }) => step <= cut.step);
  if (cut.compactedAt === undefined || !compaction) return [];
  const { steps, windows } = recorded.recording;
  const opening = session.steps[compaction.step]?.joined ?? [];
  // The answer before the boundary, and what waited for the next request, went into the summary.
  const summarised = new Set([
    ...(steps[compaction.step - 1]?.outputs ?? []).map(nameBlock),
    ...[...waiting].map(({ block }) => nameBlock(block)),
  ]);
  const kept = (windows[steps[compaction.step]?.window ?? 0]?.kept ?? []).map((event, order): Message => {
    const blocks = event.kind === "output" ? event.blocks : [event.block];
    return { id: `kept:${order}`, role: event.kind === "output" ? "assistant" : event.role, blocks };
  });
  return [
    ...compaction.messages,
    ...kept,
    ...opening.flatMap((message) => without(message, summarised)),
    ...session.steps.slice(compaction.step + 1, cut.step + 1).flatMap(({ joined }) => joined),
  ];
}

function without(message: Message, names: ReadonlySet<string>): readonly Message[] {
  const blocks = message.blocks.filter((block) => !names.has(nameBlock(block)));
  return blocks.length === 0 ? [] : [{ ...message, blocks }];
}

/** By what it says: ids differ from place to place. */
function nameBlock(block: Block): string {
  if (block.kind === "toolCall" || block.kind === "toolResult") return `${block.kind} ${block.callId}`;
  return block.kind === "text" || block.kind === "thinking" ? `${block.kind} ${block.text}` : JSON.stringify(block.raw);
}
