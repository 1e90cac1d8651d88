import { homedir } from "node:os";
import path from "node:path";
import { listFiles } from "../../../files/list-files.ts";
import type { Environment, TranscriptFile } from "../../host.ts";

/** Where the client keeps its files: `PI_CODING_AGENT_DIR`, or `.pi/agent` in the person's home. */
export function locateHome(environment: Environment): string {
  return environment.PI_CODING_AGENT_DIR || path.join(environment.HOME || homedir(), ".pi", "agent");
}

/** The folder of all sessions, or that of a project, by the client's name for it. */
export function locateTranscripts(environment: Environment, project?: string): string {
  const all = environment.PI_CODING_AGENT_SESSION_DIR || path.join(locateHome(environment), "sessions");
  return project === undefined ? all : path.join(all, nameFolder(project));
}

function nameFolder(directory: string): string {
  return `--${directory.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

export function listTranscripts(root: string): readonly TranscriptFile[] {
  const files = listFiles(root, (name) => name.endsWith(".jsonl"));
  return files.map((file) => ({ ...file, project: path.basename(path.dirname(file.path)), isSubagent: false }));
}

export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  return listTranscripts(locateTranscripts(environment, project));
}

export function listSessions(environment: Environment): ReadonlySet<string> {
  const files = listFiles(locateTranscripts(environment), (name) => name.endsWith(".jsonl"));
  return new Set(files.map((file) => nameSession(file.path)));
}

export function findTranscript(environment: Environment, project: string, sessionId: string): string | undefined {
  return listProject(environment, project).find((file) => nameSession(file.path) === sessionId)?.path;
}

/** `<time>_<id>.jsonl`. */
export function nameSession(file: string): string {
  const name = path.basename(file, ".jsonl");
  return name.slice(name.lastIndexOf("_") + 1);
}

/** `--<path>--/<time>_<id>.jsonl`. */
export function isOwnPath(file: string): boolean {
  return /[/\\]--[^/\\]*--[/\\][^/\\]*\.jsonl$/.test(file);
}

export function beginsSession(head: string): boolean {
  return /^\s{0,9}\{[^{}]{0,200}"type"\s{0,4}:\s{0,4}"session"\s{0,4},[^{}]{0,4000}"cwd"/.test(head);
}
