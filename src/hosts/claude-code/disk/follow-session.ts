import { createHappening, type HappeningState, MAX_FIRST_BYTES } from "../../happening.ts";
import { claudeCodeVocabulary } from "../vocabulary.ts";
import { type ReadPlace, readEntries } from "./read-entries.ts";

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
  let happening = createHappening(claudeCodeVocabulary, saved);
  const { place, unfinishedBytes } = readEntries(
    file,
    {
      onEntry: (entry) => happening.feed(entry),
      onRestart: () => {
        happening = createHappening(claudeCodeVocabulary);
      },
    },
    { since: saved, maxFirstBytes: MAX_FIRST_BYTES },
  );
  return { state: { ...place, ...happening.state() }, size: place.cursor.offset + unfinishedBytes };
}
