import path from "node:path";
import type { RecordedSession } from "../hosts/claude-code/disk/read-recording.ts";
import type { Watched } from "./describe-now.ts";
import type { SessionHead } from "./wire.ts";

/** A session by its own title, else by the first words of its person, else by the name of its file. */
export function describeHead(
  { key, file, isRunning }: Pick<Watched, "key" | "file" | "isRunning">,
  { entries, recording }: Pick<RecordedSession, "entries" | "recording">,
): SessionHead {
  const title = entries.findLast((entry) => entry.title !== "")?.title;
  return {
    key,
    title: title || path.basename(file.path, ".jsonl"),
    project: file.project,
    model: recording.steps.at(-1)?.model ?? "",
    isSubagent: file.isSubagent,
    isRunning,
    startMs: recording.steps.find(({ atMs }) => atMs !== undefined)?.atMs ?? null,
    lastMs: file.modifiedMs,
  };
}
