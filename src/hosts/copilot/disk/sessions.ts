import { homedir } from "node:os";
import path from "node:path";
import { listFiles } from "../../../files/list-files.ts";
import { readHead } from "../../../files/read-head.ts";
import { findTextField } from "../../find-text-field.ts";
import type { Environment, TranscriptFile } from "../../host.ts";

/** Where the client keeps its files: `COPILOT_HOME`, or `.copilot` in the person's home. */
export function locateHome(environment: Environment): string {
  return environment.COPILOT_HOME || path.join(environment.HOME || homedir(), ".copilot");
}

export function locateTranscripts(environment: Environment): string {
  return path.join(locateHome(environment), "session-state");
}

export function listTranscripts(
  root: string,
  isOwn: (path: string) => boolean = () => true,
): readonly TranscriptFile[] {
  const files = listFiles(root, (name) => name.endsWith(".jsonl")).filter((file) => isOwn(file.path));
  return files.map((file) => ({ ...file, project: findTextField(readHead(file.path), "cwd"), isSubagent: false }));
}

export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  return listTranscripts(locateTranscripts(environment)).filter((file) => file.project === project);
}

export function listSessions(environment: Environment): ReadonlySet<string> {
  return new Set(listTranscripts(locateTranscripts(environment)).map((file) => nameSession(file.path)));
}

export function findTranscript(environment: Environment, project: string, sessionId: string): string | undefined {
  return listProject(environment, project).find((file) => nameSession(file.path) === sessionId)?.path;
}

/** `<id>/events.jsonl`, or `<id>.jsonl` of older clients. */
export function nameSession(file: string): string {
  const name = path.basename(file, ".jsonl");
  return name === "events" ? path.basename(path.dirname(file)) : name;
}

export function beginsSession(head: string): boolean {
  return /^\s{0,9}\{\s{0,9}"type"\s{0,4}:\s{0,4}"session\.start"/.test(head);
}
