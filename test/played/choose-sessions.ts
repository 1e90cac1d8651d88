import path from "node:path";
import { listCorpus } from "../../bench/corpus.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-recording.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import type { ReplaySession } from "../../src/replay/session.ts";
import { type SessionScript, scriptSession } from "./script-session.ts";

/** A recorded session that can be played. */
export interface Playable {
  readonly id: string;
  readonly repository: string;
  readonly file: string;
  readonly session: ReplaySession;
  readonly script: SessionScript;
}

export const CHOICE_RULE =
  "the longest session of every repository that has one of at least 60 requests, then the longest of the second-longest, until there are twelve; sessions that replay leaves out and sessions of several models are not eligible";

const LEAST_REQUESTS = 60;

/** By their lengths alone, never by what they come to. */
export function chooseSessions(count = 12): readonly Playable[] {
  const byRepository = new Map<string, readonly Playable[]>();
  for (const file of listCorpus()) {
    const playable = readPlayable(file);
    if (playable === undefined || playable.session.steps.length < LEAST_REQUESTS) continue;
    byRepository.set(playable.repository, [...(byRepository.get(playable.repository) ?? []), playable]);
  }
  const ranks = [...byRepository.values()].map((list) => list.toSorted(byLength));
  const chosen: Playable[] = [];
  for (let rank = 0; chosen.length < count && ranks.some((list) => list.length > rank); rank++)
    chosen.push(...ranks.flatMap((list) => list[rank] ?? []).toSorted(byLength));
  return chosen.slice(0, count);
}

function byLength(left: Playable, right: Playable): number {
  return right.session.steps.length - left.session.steps.length || left.id.localeCompare(right.id);
}

/** Undefined where replay would leave it out, or where several models answered: the client plays under one. */
export function readPlayable(file: string): Playable | undefined {
  const { recording, tally, unfinishedBytes } = readRecording(file);
  const brokenLines = tally.malformed + (unfinishedBytes > 0 ? 1 : 0);
  // The client plays in a folder of its own, so recorded paths are outside the project for the module, and here too.
  const session = prepareSession({ name: file, recording, brokenLines, root: "" });
  if ("why" in session || new Set(session.steps.map(({ model }) => model)).size > 1) return undefined;
  return {
    id: path.basename(file, ".jsonl").slice(0, 8),
    repository: path.basename(path.dirname(file)),
    file,
    session,
    script: scriptSession(recording),
  };
}
