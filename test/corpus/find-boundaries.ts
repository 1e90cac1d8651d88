import { readFileSync } from "node:fs";
import type { SessionEvent } from "../../src/core/event.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { selectMainChain } from "../../src/hosts/claude-code/main-chain.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createSession } from "../../src/session/session.ts";
import type { Happened } from "../../src/survive/record/continuation.ts";
import { createTrail } from "../../src/survive/record/trail.ts";

/** A recorded compaction: what there was before it. */
export interface Boundary {
  readonly happened: Happened;
  readonly root: string;
}

/** Every compaction in a recorded session that had something to compact. */
export function* findBoundaries(file: string): Generator<Boundary> {
  if (!/compact_boundary|isCompactSummary/.test(readFileSync(file, "utf8"))) return;
  const { entries } = readRecording(file);
  const events = selectMainChain(entries).flatMap((entry) => entry.events);
  const root = entries.find((entry) => entry.cwd !== "")?.cwd ?? "";
  const session = createSession(claudeCodeVocabulary);
  const trail = createTrail(claudeCodeVocabulary);
  let hasAnswered = false;
  let isFresh = false;
  for (const event of events) {
    if (event.kind === "output") isFresh = false;
    const isBoundary: boolean = event.kind === "compaction" || (isSummary(event) && !isFresh);
    if (isBoundary && hasAnswered) yield { happened: { state: session.state(), trail: trail.state() }, root };
    hasAnswered ||= event.kind === "output";
    isFresh ||= isBoundary;
    session.feed(event);
    trail.feed(event);
  }
}

function isSummary(event: SessionEvent): boolean {
  return event.kind === "arrival" && event.source === "summary";
}
