import type { TranscriptEntry } from "./transcript-entry.ts";

/**
 * The entries that are the conversation as it stands: from the last answer back along the parents, across compactions, plus
 * what a walk along parents misses by nature: the other lines of a split answer and the results of parallel calls.
 * Rewound branches and side chains are left out. File order is kept.
 */
export function selectMainChain(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const lane = entries.filter(isInLane(entries));
  const last = lane.findLastIndex((entry) => entry.type === "assistant" && !entry.isSynthetic);
  if (last < 0) return lane;
  const chosen = walkParents(lane, last);
  addSiblings(lane, chosen);
  // What came after the last answer has not been sent yet, but belongs to what will be.
  for (const [index, entry] of lane.entries()) if (index > last) chosen.add(entry);
  return lane.filter((entry) => chosen.has(entry));
}

/** A subagent's own file holds side-chain lines only: there they are the conversation. */
function isInLane(entries: readonly TranscriptEntry[]): (entry: TranscriptEntry) => boolean {
  const hasMainLine = entries.some((entry) => entry.uuid !== "" && !entry.isSidechain);
  return (entry) => entry.uuid !== "" && (entry.isSidechain === false || !hasMainLine);
}

function walkParents(lane: readonly TranscriptEntry[], from: number): Set<TranscriptEntry> {
  const indexOf = new Map<string, number>();
  for (const [index, entry] of lane.entries()) indexOf.set(entry.uuid, index);
  const chosen = new Set<TranscriptEntry>();
  let index = from;
  while (index >= 0) {
    const entry = lane[index];
    if (!entry || chosen.has(entry)) break;
    chosen.add(entry);
    const parent = entry.parentUuid || entry.logicalParentUuid;
    if (parent === "") {
      // Only the first line of a conversation has no parent; a boundary without one goes on at the line before it.
      if (entry.type !== "system") break;
      index--;
      continue;
    }
    const next = indexOf.get(parent);
    // Parents outside the file, or lines this reader ignores: go on at the line before.
    index = next === undefined || next >= index ? index - 1 : next;
  }
  return chosen;
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
