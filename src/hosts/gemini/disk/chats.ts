import { homedir } from "node:os";
import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { listFiles } from "../../../files/list-files.ts";
import { readHead } from "../../../files/read-head.ts";
import { readJsonFile } from "../../../files/read-json-file.ts";
import type { Environment, TranscriptFile } from "../../host.ts";

/** No chat comes near this. */
const MOST_CHAT_BYTES = 512 << 20;

/** Where the client keeps its files: `.gemini` in `GEMINI_CLI_HOME`, or in the person's home. */
export function locateHome(environment: Environment): string {
  return path.join(environment.GEMINI_CLI_HOME || environment.HOME || homedir(), ".gemini");
}

/** A project's folder has the hash of its path for a name. */
export function locateTranscripts(environment: Environment, project?: string): string {
  const all = path.join(locateHome(environment), "tmp");
  return project === undefined ? all : path.join(all, sha256(project));
}

export function listTranscripts(
  root: string,
  isOwn: (path: string) => boolean = (file) => beginsChat(readHead(file)),
): readonly TranscriptFile[] {
  const files = listFiles(root, (name) => /\.jsonl?$/.test(name)).filter((file) => isOwn(file.path));
  return files.map((file) => {
    const folder = path.dirname(file.path);
    const project = path.basename(path.basename(folder) === "chats" ? path.dirname(folder) : folder);
    return { ...file, project, isSubagent: false };
  });
}

export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  return listTranscripts(locateTranscripts(environment, project));
}

export function listSessions(environment: Environment): ReadonlySet<string> {
  return new Set(listTranscripts(locateTranscripts(environment)).map((file) => nameSession(file.path)));
}

export function findTranscript(environment: Environment, project: string, sessionId: string): string | undefined {
  return listProject(environment, project).find((file) => nameSession(file.path) === sessionId)?.path;
}

export function nameSession(file: string): string {
  return path.basename(file).replace(/\.jsonl?$/, "");
}

export function beginsChat(head: string): boolean {
  return /^\s{0,9}\{\s{0,9}"sessionId"\s{0,4}:\s{0,4}"[^"]{1,100}"\s{0,4},\s{0,9}"projectHash"/.test(head);
}

export function readChat(file: string): JsonObject {
  return readJsonFile(file, MOST_CHAT_BYTES);
}
