import { followSession, type RecordedSession } from "../../follow-transcript.ts";
import { claudeCode } from "../host.ts";

/** A whole transcript at once: for looking closely. Who only measures reads incrementally. */
export function readRecording(path: string): RecordedSession {
  return followSession(claudeCode, path).read();
}
