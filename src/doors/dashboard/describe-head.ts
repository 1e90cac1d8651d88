import path from "node:path";
import { clipText, toOneLine } from "../../core/clip-text.ts";
import type { Followed, RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { Recording } from "../../measure/recording.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import type { SessionHead } from "./wire.ts";

const MOST_CHARACTERS = 90;

export function describeHead(
  { key, file, isRunning }: Pick<Watched, "key" | "file" | "isRunning">,
  session: Pick<RecordedSession, "transcript" | "recording">,
): SessionHead {
  const { steps } = session.recording;
  return {
    key,
    title: nameSession(session) || path.basename(file.path, ".jsonl"),
    project: file.project,
    model: steps.at(-1)?.model ?? "",
    isSubagent: file.isSubagent,
    isRunning,
    startMs: steps.find(({ atMs }) => atMs !== undefined)?.atMs ?? null,
    lastMs: file.modifiedMs,
  };
}

/** A session by its own title, else by the first words of its person; empty where there are none. */
export function nameSession({ transcript, recording }: Pick<RecordedSession, "transcript" | "recording">): string {
  return transcript.title || findFirstWords(recording);
}

function findFirstWords({ steps }: Recording): string {
  for (const { source, block } of steps.slice(0, 3).flatMap(({ arrivals }) => arrivals)) {
    if (source !== "prompt" || block.kind !== "text" || block.author !== "person") continue;
    const words = toOneLine(block.text);
    // What begins with a bracket was put there by the client in the person's name.
    if (words === "" || words.startsWith("<")) continue;
    return clipText(words, MOST_CHARACTERS);
  }
  return "";
}

export interface Watched {
  readonly key: string;
  readonly file: TranscriptFile;
  readonly isRunning: boolean;
  readonly followed: Followed<RecordedSession>;
  readonly deeds: readonly Deed[];
}
