import type { SessionEvent } from "../../core/event.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";

/**
 * The entries of the current conversation: from the last answer or prompt back along the parents, across
 * compactions, plus what such a walk misses: the other lines of a split answer, the results of parallel calls,
 * and boundaries that were bypassed. Rewound branches and side chains are left out. File order is kept.
 */
export function selectMainChain(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const lane = entries.filter(isInLane(entries));
  const last = lane.findLastIndex(isTip);
  if (last < 0) return lane;
  const chosen = walkParents(lane, last);
  addSiblings(lane, chosen);
  addBoundaries(lane, chosen);
  // What came after it has not been sent yet, but will be.
  for (const [index, entry] of lane.entries()) if (index > last) chosen.add(entry);
  return lane.filter((entry) => chosen.has(entry));
}

/** A subagent's own file has side-chain lines only: there they are the conversation. */
function isInLane(entries: readonly TranscriptEntry[]): (entry: TranscriptEntry) => boolean {
  const hasMainLine = entries.some((entry) => entry.uuid !== "" && !entry.isSidechain);
  return (entry) => entry.uuid !== "" && (entry.isSidechain === false || !hasMainLine);
}

/** Answers and the person's own prompts are attached to the current conversation; results and remarks may come late. */
function isTip(entry: TranscriptEntry): boolean {
  return entry.events.some((event) => event.kind === "output" || isOwnPrompt(event));
}

function isOwnPrompt(event: SessionEvent): boolean {
  if (event.kind !== "arrival" || event.source !== "prompt" || event.block.kind !== "text") return false;
  return event.block.author === "person" && !FOR_THE_CLIENT.test(event.block.text);
}

/** What the client handles itself, such as a command or a note to its memory (`#`), may have any parent, or none. */
const FOR_THE_CLIENT = /^\s{0,9}(?:\/[a-z]|#|<user-memory-input>)/;

function walkParents(lane: readonly TranscriptEntry[], from: number): Set<TranscriptEntry> {
  const indexOf = new Map(lane.map((entry, index) => [entry.uuid, index]));
  const chosen = new Set<TranscriptEntry>();
  let index = from;
  while (index >= 0) {
    const entry = lane[index];
    if (!entry || chosen.has(entry)) break;
    chosen.add(entry);
    const parent = entry.parentUuid || entry.logicalParentUuid;
    if (parent === "" && !isCompaction(entry)) break;
    // The parent is outside the file or lost with a malformed line: continue at the line before.
    index = indexOf.get(parent) ?? index - 1;
  }
  return chosen;
}

/** Only the first line of a conversation, and the lines at which it starts over, have no parent. */
function isCompaction({ type, events }: TranscriptEntry): boolean {
  return type === "system" || events.some((event) => event.kind === "arrival" && event.source === "summary");
}

function addSiblings(lane: readonly TranscriptEntry[], chosen: Set<TranscriptEntry>): void {
  const steps = new Set<string>();
  const calls = new Set<string>();
  for (const entry of chosen) for (const event of entry.events) if (event.kind === "output") steps.add(event.stepId);
  for (const entry of lane) {
    for (const event of entry.events) {
      if (event.kind !== "output" || !steps.has(event.stepId)) continue;
      chosen.add(entry);
      for (const block of event.blocks) if (block.kind === "toolCall") calls.add(block.callId);
    }
  }
  for (const entry of lane) {
    for (const event of entry.events) {
      if (event.kind === "arrival" && event.block.kind === "toolResult" && calls.has(event.block.callId))
        chosen.add(entry);
    }
  }
}

/** After `/compact` newer clients continue from the line before the boundary, which leaves it and the summary without children. */
function addBoundaries(lane: readonly TranscriptEntry[], chosen: Set<TranscriptEntry>): void {
  const known = new Set([...chosen].map((entry) => entry.uuid));
  const openings = new Set<string>();
  for (const entry of lane) {
    const isBoundary = known.has(entry.logicalParentUuid) && entry.events.some((event) => event.kind === "compaction");
    if (!isBoundary && !openings.has(entry.parentUuid)) continue;
    chosen.add(entry);
    // Between a boundary and its summary there may be attachments; after it the conversation may branch.
    if (entry.type === "system" || entry.type === "attachment") openings.add(entry.uuid);
  }
}
