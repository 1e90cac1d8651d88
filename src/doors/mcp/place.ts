import { lstatSync } from "node:fs";
import path from "node:path";
import { type Originals, openOriginals } from "../../files/originals.ts";
import { listTranscripts, locateClientHome, nameProjectFolder } from "../../hosts/claude-code/disk/projects.ts";
import { locateData, locateSession } from "../../policy/deeds/data-paths.ts";

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

/** What left the conversations of the project, wherever it was put. */
export function openPlace(place: Place): Originals {
  return openOriginals({
    project: place.project,
    dataFolder: locateData(place.configFolder),
    sessionIds: () => listSessionIds(place),
  });
}

/** The session that is served, then the others that the client recorded in the project, the newest first. */
export function listSessionIds({ project, configFolder, sessionId }: Place): readonly string[] {
  const folder = path.join(configFolder, "projects", nameProjectFolder(project));
  const files = listTranscripts(folder).filter((file) => !file.isSubagent && path.dirname(file.path) === folder);
  const ids = [sessionId, ...files.map((file) => path.basename(file.path, ".jsonl"))];
  return [...new Set(ids)].filter((id) => locateSession(configFolder, id) !== undefined);
}

function findNewest(folder: string): string | undefined {
  return listTranscripts(folder).find((file) => !file.isSubagent && isPlainFile(file.path))?.path;
}

/** A link could lead anywhere. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
