import path from "node:path";
import type { Originals } from "../../files/originals.ts";
import { type FollowedState, followSession } from "../../hosts/claude-code/disk/follow-session.ts";
import { findTranscript, openPlace, type Place } from "./place.ts";

/** What the tools look at. The server lives as long as the session, so a look costs what was added since the last. */
export interface ServerSession {
  readonly place: Place;
  readonly originals: Originals;
  /** What a page of each question that was asked of `recall` holds. */
  readonly pageSizes: Map<string, number>;
  nowMs(): number;
  transcript(): string | undefined;
  /** `undefined` until there is a transcript. */
  follow(): FollowedState | undefined;
  /** The session's id as its transcript is named; empty where there is neither. */
  sessionId(): string;
}

export function createServerSession(place: Place, nowMs: () => number): ServerSession {
  let file: string | undefined;
  let followed: FollowedState | undefined;
  const transcript = (): string | undefined => findTranscript(place);
  return {
    place,
    originals: openPlace(place),
    pageSizes: new Map(),
    nowMs,
    transcript,
    follow() {
      const now = transcript();
      if (now === undefined) return undefined;
      followed = followSession(now, now === file ? followed : undefined).state;
      file = now;
      return followed;
    },
    sessionId: () => place.sessionId || path.basename(transcript() ?? "", ".jsonl"),
  };
}
