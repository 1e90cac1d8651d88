import { homedir } from "node:os";
import path from "node:path";
import { listFiles } from "../../../files/list-files.ts";
import { readHead } from "../../../files/read-head.ts";
import { findTextField } from "../../find-text-field.ts";
import type { Environment, TranscriptFile } from "../../host.ts";

/** Where the client keeps its files: `CODEX_HOME`, or `.codex` in the person's home. */
export function locateHome(environment: Environment): string {
  return environment.CODEX_HOME || path.join(environment.HOME || homedir(), ".codex");
}

/** They lie by their day, not by their project. */
export function locateTranscripts(environment: Environment): string {
  return path.join(locateHome(environment), "sessions");
}

/** The first record names the project, and whether another session asked for this one. */
export function listTranscripts(
  root: string,
  isOwn: (path: string) => boolean = () => true,
): readonly TranscriptFile[] {
  const files = listFiles(root, (name) => name.endsWith(".jsonl")).filter((file) => isOwn(file.path));
  return files.map((file) => {
    const head = readHead(file.path);
    const isSubagent = /"source"\s{0,4}:\s{0,4}\{"subagent"/.test(head);
    return { ...file, project: findTextField(head, "cwd"), isSubagent };
  });
}

export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  const all = listTranscripts(locateTranscripts(environment));
  return all.filter((file) => !file.isSubagent && file.project === project);
}

/** Those that the person put away can be taken out again. */
export function listSessions(environment: Environment): ReadonlySet<string> {
  const folders = [locateTranscripts(environment), path.join(locateHome(environment), "archived_sessions")];
  const files = folders.flatMap((folder) => listFiles(folder, (name) => name.endsWith(".jsonl")));
  return new Set(files.map((file) => nameSession(file.path)));
}

export function findTranscript(environment: Environment, _project: string, sessionId: string): string | undefined {
  const isWanted = (name: string): boolean => name.endsWith(".jsonl") && nameSession(name) === sessionId;
  return listFiles(locateTranscripts(environment), isWanted)[0]?.path;
}

/** `rollout-<time>-<id>.jsonl`; a file of another make is called by its whole name. */
export function nameSession(file: string): string {
  return path.basename(file, ".jsonl").replace(/^rollout-[\dT-]{10,30}-(?=[0-9a-f]{8}-)/, "");
}

export function beginsRollout(head: string): boolean {
  return /^\s{0,9}\{[^{}]{0,200}"type"\s{0,4}:\s{0,4}"session_meta"/.test(head);
}
