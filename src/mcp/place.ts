import { lstatSync } from "node:fs";
import path from "node:path";
import { listTranscripts, locateClientHome, nameProjectFolder } from "../hosts/claude-code/disk/projects.ts";
import { locateSession } from "../session/journal/data-paths.ts";

/** Which project and which session the server serves: nothing outside of them is ever read. */
export interface Place {
  readonly project: string;
  readonly configFolder: string;
  /** As the client told it; empty for a client that does not tell. */
  readonly sessionId: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Both are in the environment that the client starts servers with (seen in 2.1.197 and 2.1.325). */
export function findPlace(environment: Environment, directory: string): Place {
  return {
    project: path.resolve(environment.CLAUDE_PROJECT_DIR || directory),
    configFolder: locateClientHome(environment),
    sessionId: environment.CLAUDE_CODE_SESSION_ID ?? "",
  };
}

/** The session's transcript; without a session the newest of the project. `undefined` where there is none yet. */
export function findTranscript({ project, configFolder, sessionId }: Place): string | undefined {
  const folder = path.join(configFolder, "projects", nameProjectFolder(project));
  // An id that is none never becomes a path.
  if (locateSession(configFolder, sessionId) === undefined) return findNewest(folder);
  const file = path.join(folder, `${sessionId}.jsonl`);
  return isPlainFile(file) ? file : undefined;
}

function findNewest(folder: string): string | undefined {
  return listTranscripts(folder).find((file) => !file.isSubagent && isPlainFile(file.path))?.path;
}

/** A link could lead anywhere. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
