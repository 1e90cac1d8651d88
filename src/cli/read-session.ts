import { readRecording } from "../hosts/claude-code/disk/read-recording.ts";
import { selectMainChain } from "../hosts/claude-code/main-chain.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import type { Recording } from "../measure/recording.ts";
import { createSession, type SessionState } from "../session/session.ts";
import { requireSession } from "./require-session.ts";

export interface UnderstoodSession {
  readonly state: SessionState;
  readonly recording: Recording;
  readonly sessionId: string;
  readonly cwd: string;
}

/** A transcript as what happened in it. */
export function readSession(file: string): UnderstoodSession {
  const recorded = readRecording(file);
  requireSession(file, recorded.tally, recorded.unfinishedBytes);
  const session = createSession(claudeCodeVocabulary);
  for (const entry of selectMainChain(recorded.entries)) for (const event of entry.events) session.feed(event);
  const last = recorded.entries.findLast((entry) => entry.sessionId !== "");
  return {
    state: session.state(),
    recording: recorded.recording,
    sessionId: last?.sessionId ?? "",
    cwd: last?.cwd ?? "",
  };
}
