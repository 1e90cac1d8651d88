import { hostOf, nameSession } from "../../hosts/catalogue.ts";
import type { Followed, RecordedSession } from "../../hosts/follow-transcript.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import type { Deed } from "../../policy/deeds/deed.ts";
import { nameProjects } from "../../recorded/name-projects.ts";
import { shortenId } from "../cli/find-session.ts";
import type { SessionHead } from "./wire-sessions.ts";

export function describeHead(
  { key, file, isRunning }: Pick<Watched, "key" | "file" | "isRunning">,
  session: Pick<RecordedSession, "accounts" | "recording">,
): SessionHead {
  const { steps } = session.recording;
  return {
    key,
    title: nameTitle(session.accounts.title, nameSession(file.path)),
    project: nameProject(file, session.accounts.folder),
    model: steps.at(-1)?.model ?? "",
    host: hostOf(file.path).title,
    isSubagent: file.isSubagent,
    isRunning,
    startMs: steps.find(({ atMs }) => atMs !== undefined)?.atMs ?? null,
    lastMs: steps.findLast(({ atMs }) => atMs !== undefined)?.atMs ?? file.modifiedMs,
  };
}

/** One file has no neighbours to be told apart from. */
export function nameProject(file: TranscriptFile, folder: string): string {
  return nameProjects([{ file, folder }]).get(file.path)?.project ?? file.project;
}

export interface Watched {
  readonly key: string;
  readonly file: TranscriptFile;
  readonly isRunning: boolean;
  readonly followed: Followed<RecordedSession>;
  readonly deeds: readonly Deed[];
}

/** What a session is called: its title, or that it has none and the beginning of its id, by which every command finds it. */
export function nameTitle(title: string, id: string): string {
  return title || `Untitled (${shortenId(id)})`;
}
