import { hostOf, nameSession } from "../../hosts/catalogue.ts";
import type { Followed, RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { shortenId } from "../../recorded/list-own-sessions.ts";
import { nameProjects } from "../../recorded/name-projects.ts";
import type { SessionHead } from "./wire.ts";

export interface WatchedFile {
  readonly key: string;
  readonly file: TranscriptFile;
  readonly isRunning: boolean;
}

export interface Watched extends WatchedFile {
  readonly followed: Followed<RecordedSession>;
  readonly actions: readonly OwnAction[];
}

export function describeHead(watched: WatchedFile, { recording: { steps }, accounts }: RecordedSession): SessionHead {
  return {
    ...describeFile(watched, accounts),
    model: steps.at(-1)?.model ?? "",
    lastMs: steps.findLast(({ atMs }) => atMs !== undefined)?.atMs ?? watched.file.modifiedMs,
  };
}

/** What is known of a session without its requests. */
export function describeFile(
  { key, file, isRunning }: WatchedFile,
  { title, folder }: RecordedSession["accounts"],
): Omit<SessionHead, "model" | "lastMs"> {
  return {
    key,
    title: nameTitle(title, nameSession(file.path)),
    // A single file has no others that its name must differ from.
    project: nameProjects([{ file, folder }]).get(file.path)?.project ?? file.project,
    host: hostOf(file.path).title,
    isSubagent: file.isSubagent,
    isRunning,
  };
}

/** A session's title, or "Untitled" with the beginning of its id, by which every command finds it. */
export function nameTitle(title: string, id: string): string {
  return title || `Untitled (${shortenId(id)})`;
}
