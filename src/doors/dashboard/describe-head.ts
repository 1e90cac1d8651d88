import path from "node:path";
import type { Followed, RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { nameProject } from "./name-project.ts";
import type { SessionHead } from "./wire.ts";

export function describeHead(
  { key, file, isRunning }: Pick<Watched, "key" | "file" | "isRunning">,
  session: Pick<RecordedSession, "accounts" | "recording">,
): SessionHead {
  const { steps } = session.recording;
  return {
    key,
    title: session.accounts.title || path.basename(file.path, ".jsonl"),
    project: nameProject(file),
    model: steps.at(-1)?.model ?? "",
    isSubagent: file.isSubagent,
    isRunning,
    startMs: steps.find(({ atMs }) => atMs !== undefined)?.atMs ?? null,
    lastMs: file.modifiedMs,
  };
}

export interface Watched {
  readonly key: string;
  readonly file: TranscriptFile;
  readonly isRunning: boolean;
  readonly followed: Followed<RecordedSession>;
  readonly deeds: readonly Deed[];
}
