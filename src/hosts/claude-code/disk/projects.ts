import { existsSync, lstatSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { errorCode } from "../../../core/render-failure.ts";
import { listFiles } from "../../../files/list-files.ts";
import { locateSpareHome } from "../../../policy/deeds/data-paths.ts";
import type { Environment, TranscriptFile } from "../../host.ts";

/** Where the client keeps its files: `CLAUDE_CONFIG_DIR`, or `.claude` in the person's home. */
export function locateClientHome(environment: Environment): string {
  return environment.CLAUDE_CONFIG_DIR || path.join(environment.HOME || homedir(), ".claude");
}

/** Where Plimsoll keeps its own files: in that folder, which is not made for somebody who does not use the client. */
export function locateOwnHome(environment: Environment): string {
  const home = locateClientHome(environment);
  const isUsed = environment.CLAUDE_CONFIG_DIR || existsSync(home);
  return isUsed || !environment.HOME ? home : locateSpareHome(environment);
}

/** The client's folder name for a working directory. */
export function nameProjectFolder(directory: string): string {
  return directory.replace(/[^a-zA-Z0-9]/g, "-");
}

/** Every transcript below a folder, or the file itself; newest first. Folders that cannot be read are passed over. */
export function listTranscripts(root: string): readonly TranscriptFile[] {
  return listFiles(root, (name) => name.endsWith(".jsonl")).map((file) => ({ ...file, ...describe(root, file.path) }));
}

/** The folder of all transcripts, or that of a project. */
export function locateTranscripts(environment: Environment, project?: string): string {
  const all = path.join(locateClientHome(environment), "projects");
  return project === undefined ? all : path.join(all, nameProjectFolder(project));
}

/** What was recorded in a project, newest first, without its subagents'. */
export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  return listTranscripts(locateTranscripts(environment, project)).filter(({ isSubagent }) => !isSubagent);
}

/** A session by its id. A link could lead anywhere, and is none. */
export function findTranscript(environment: Environment, project: string, sessionId: string): string | undefined {
  const file = path.join(locateTranscripts(environment, project), `${sessionId}.jsonl`);
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

/** Every session that can be resumed, wherever it ran; `undefined` where the folder of them cannot be read. */
export function listSessions(environment: Environment): ReadonlySet<string> | undefined {
  const root = locateTranscripts(environment);
  try {
    const files = readdirSync(root).flatMap((project) => listQuietly(path.join(root, project)));
    return new Set(files.filter((file) => file.endsWith(".jsonl")).map(nameSession));
  } catch {
    return undefined;
  }
}

/** A file among the folders has nothing in it. What cannot be read for another reason is not known to be empty. */
function listQuietly(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

export function nameSession(file: string): string {
  return path.basename(file, ".jsonl");
}

function describe(root: string, file: string): Pick<TranscriptFile, "project" | "isSubagent"> {
  const [first = ""] = path.relative(root, file).split(path.sep);
  return {
    project: first === "" || first.endsWith(".jsonl") ? path.basename(path.dirname(path.resolve(file))) : first,
    isSubagent: /(?:^|[.])agent-/.test(path.basename(file)) || file.includes(`${path.sep}subagents${path.sep}`),
  };
}
