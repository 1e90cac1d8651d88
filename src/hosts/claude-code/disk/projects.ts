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

/** Plimsoll's own folder: inside the client's, which is not created for someone who does not use the client. */
export function locateOwnHome(environment: Environment): string {
  const home = locateClientHome(environment);
  const isUsed = environment.CLAUDE_CONFIG_DIR || existsSync(home);
  return isUsed || !environment.HOME ? home : locateSpareHome(environment);
}

export function nameProjectFolder(directory: string): string {
  return directory.replace(/[^a-zA-Z0-9]/g, "-");
}

/** Every transcript below a folder, or the file itself; newest first. Unreadable folders are skipped. */
export function listTranscripts(root: string): readonly TranscriptFile[] {
  return listFiles(root, (name) => name.endsWith(".jsonl")).map((file) => ({ ...file, ...describe(root, file.path) }));
}

export function locateTranscripts(environment: Environment, project?: string): string {
  const all = path.join(locateClientHome(environment), "projects");
  return project === undefined ? all : path.join(all, nameProjectFolder(project));
}

/** A project's transcripts, newest first, without subagents'. */
export function listProject(environment: Environment, project: string): readonly TranscriptFile[] {
  return listTranscripts(locateTranscripts(environment, project)).filter(({ isSubagent }) => !isSubagent);
}

/** A session by its id. A link is rejected, because it could lead anywhere. */
export function findTranscript(environment: Environment, project: string, sessionId: string): string | undefined {
  const file = path.join(locateTranscripts(environment, project), `${sessionId}.jsonl`);
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

/** Every session that can be resumed, wherever it ran; `undefined` if their folder cannot be read. */
export function listSessions(environment: Environment): ReadonlySet<string> | undefined {
  const root = locateTranscripts(environment);
  try {
    const files = readdirSync(root).flatMap((project) => listQuietly(path.join(root, project)));
    return new Set(files.filter((file) => file.endsWith(".jsonl")).map(nameSession));
  } catch {
    return undefined;
  }
}

/** A file among the folders counts as empty. What cannot be read for another reason is not known to be empty. */
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
