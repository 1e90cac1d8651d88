import { countRecord, emptyTally, type LineTally, type TranscriptEntry } from "../transcript-entry.ts";
import { parseLine } from "./parse-line.ts";
import { createReaderQueue, type ReaderQueueState } from "./transcript-reader-queue.ts";

/** What is needed to continue an earlier reading; small, whatever the file's size. */
export interface ReaderState {
  readonly tally: LineTally;
  /** Calls that wait for their result, as [call id, tool]. */
  readonly openCalls: readonly (readonly [string, string])[];
  /** Ids of the last lines: some clients write lines again when they compact in the middle of a turn. */
  readonly recentUuids: readonly string[];
  /** Prompts typed ahead; absent in states that were saved before they were followed. */
  readonly queue?: ReaderQueueState;
}

/** A session with more unanswered calls than this has lost them for good. */
const MAX_OPEN_CALLS = 1000;
/** A line is written again within the turn it belongs to. */
const MAX_RECENT_UUIDS = 400;

export function createTranscriptReader(saved?: ReaderState) {
  let tally = saved?.tally ?? emptyTally;
  const openCalls = new Map<string, string>(saved?.openCalls);
  const recentUuids = new Set<string>(saved?.recentUuids);
  const queue = createReaderQueue(saved?.queue);
  const context = {
    queue,
    toolOf: (callId: string): string => openCalls.get(callId) ?? "unknown",
    isRepeated: (uuid: string): boolean => {
      if (recentUuids.has(uuid)) return true;
      recentUuids.add(uuid);
      if (recentUuids.size > MAX_RECENT_UUIDS) forgetOldest(recentUuids);
      return false;
    },
  };

  const follow = (entry: TranscriptEntry): void => {
    for (const event of entry.events) {
      if (event.kind === "arrival" && event.block.kind === "toolResult") openCalls.delete(event.block.callId);
      if (event.kind !== "output") continue;
      for (const block of event.blocks) if (block.kind === "toolCall") openCalls.set(block.callId, block.tool);
    }
    if (openCalls.size > MAX_OPEN_CALLS) forgetOldest(openCalls);
  };

  return {
    /** The entry of a line, or `undefined` for a blank, malformed or repeated one; the line is counted either way. */
    read(line: string): TranscriptEntry | undefined {
      if (line.trim() === "") return undefined;
      const outcome = parseLine(line.startsWith("\uFEFF") ? line.slice(1) : line, context);
      const entry = "entry" in outcome ? outcome.entry : undefined;
      // A queue's line alone adds nothing yet: what was delivered comes with the next line of the conversation.
      tally = countRecord(
        tally,
        entry?.type === "queue-operation" && outcome.fate === "parsed" ? "ignored" : outcome.fate,
      );
      if (entry) follow(entry);
      return entry;
    },
    /** Counts a line that was not read because it is too long. */
    skip(): void {
      tally = countRecord(tally, "malformed");
    },
    save: (): ReaderState => ({ tally, openCalls: [...openCalls], recentUuids: [...recentUuids], queue: queue.save() }),
  };
}

/** Sets and maps keep the order of insertion. */
function forgetOldest(known: Set<string> | Map<string, string>): void {
  const oldest = known.keys().next();
  if (!oldest.done) known.delete(oldest.value);
}
