import type { SessionEvent } from "../../../core/event.ts";
import type { Message } from "../../../core/message.ts";
import { readSession } from "../../../hosts/catalogue.ts";
import { renderTranscript } from "../../../wire/render-transcript.ts";
import { requireRecordedSession } from "../require-session.ts";

/** What a compaction took out of the window. */
export interface Dropped {
  /** From 1, in the order of the transcript. */
  readonly compaction: number;
  readonly trigger: string;
  readonly atMs: number | undefined;
  readonly messages: readonly Message[];
  /** All of them as one text; what was folded in them stays folded, and comes back by its own handle. */
  render(): string;
}

/** The client leaves every line above a boundary where it is: that is the archive. */
export function readDropped(file: string): readonly Dropped[] {
  const { events, tally, unfinishedBytes } = readSession(file);
  requireRecordedSession(file, tally, unfinishedBytes);
  const dropped: Dropped[] = [];
  let messages: Message[] = [];
  for (const event of events) {
    if (event.kind !== "compaction") {
      messages.push(...toMessages(event));
      continue;
    }
    const before = messages;
    const { trigger, atMs } = event;
    const compaction = dropped.length + 1;
    dropped.push({ compaction, trigger, atMs, messages: before, render: () => renderTranscript(before) });
    messages = [];
  }
  return dropped;
}

function toMessages(event: SessionEvent): readonly Message[] {
  if (event.kind === "output") return [{ id: event.origin, role: "assistant", blocks: event.blocks }];
  return event.kind === "arrival" ? [{ id: event.origin, role: event.role, blocks: [event.block] }] : [];
}
