import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../happening.ts";
import { claudeCodeVocabulary } from "../vocabulary.ts";
import { feedEntries, type ReadPlace } from "./read-entries.ts";

export interface FollowedState extends ReadPlace, HappeningState {}

interface FollowedUpTo {
  readonly state: FollowedState;
  readonly size: number;
}

/** A session's state up to the end of its transcript. A saved one that cannot be continued costs one whole reading. */
export function followSession(file: string, saved?: FollowedState): FollowedUpTo {
  if (saved === undefined) return read(file, undefined);
  try {
    return read(file, saved);
  } catch {
    return read(file, undefined);
  }
}

function read(file: string, saved: FollowedState | undefined): FollowedUpTo {
  const create = (known?: FollowedState) => createHappening(claudeCodeVocabulary, known);
  const options = { maxFirstBytes: MAX_FIRST_BYTES };
  const { place, unfinishedBytes, follower } = feedEntries(file, create, saved, options);
  return { state: { ...place, ...follower.state() }, size: place.cursor.offset + unfinishedBytes };
}
