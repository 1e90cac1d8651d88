import path from "node:path";
import { listCorpus } from "../../lab/bench/corpus.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import type { Recording } from "../../src/measure/recording.ts";
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
  const byRepository = new Map<string, Candidate[]>();
  for (const file of listCorpus()) {
    const { recording, tally, unfinishedBytes } = readRecording(file);
    if (recording.steps.length < LEAST_REQUESTS) continue;
    const repository = path.basename(path.dirname(file));
    const brokenLines = tally.malformed + (unfinishedBytes > 0 ? 1 : 0);
    byRepository.set(repository, [...(byRepository.get(repository) ?? []), { file, recording, brokenLines }]);
  }
  const queues = [...byRepository.values()].map((list) => list.toSorted(byLength));
  const chosen: Playable[] = [];
  while (chosen.length < count && queues.some((queue) => queue.length > 0))
    chosen.push(
      ...queues.flatMap(takeLongest).toSorted((left, right) => right.session.steps.length - left.session.steps.length),
    );
  return chosen.slice(0, count);
}

interface Candidate {
  readonly file: string;
  readonly recording: Recording;
  readonly brokenLines: number;
}

function byLength(left: Candidate, right: Candidate): number {
  return right.recording.steps.length - left.recording.steps.length || left.file.localeCompare(right.file);
}

/** Takes the first that can be played off a queue. Weighing a session takes far longer than reading it, so the rest waits. */
function takeLongest(queue: Candidate[]): readonly Playable[] {
  for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
    const playable = preparePlayable(candidate);
    if (playable !== undefined) return [playable];
  }
  return [];
}

/** Undefined where replay would leave it out, or where several models answered: the client plays under one. */
function preparePlayable({ file, recording, brokenLines }: Candidate): Playable | undefined {
  // The client plays in a folder of its own, so recorded paths are outside the project for the module, and here too.
  const session = prepareSession({
    name: file,
    recording,
    brokenLines,
    root: "",
    vocabulary: claudeCodeVocabulary,
    restoresFiles: true,
  });
  if ("why" in session || new Set(session.steps.map(({ model }) => model)).size > 1) return undefined;
  return {
    id: path.basename(file, ".jsonl").slice(0, 8),
    repository: path.basename(path.dirname(file)),
    file,
    session,
    script: scriptSession(recording),
  };
}
