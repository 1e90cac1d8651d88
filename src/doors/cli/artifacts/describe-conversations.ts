import path from "node:path";
import type { Conversations } from "../../../files/artifacts/prune-artifacts.ts";
import { listProject, listSessions, locateHome } from "../../../hosts/catalogue.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import type { Terminal } from "../command.ts";

/** The conversations of the project that somebody is in. */
export function describeConversations({ environment, directory, nowMs }: Terminal): Conversations {
  const project = path.resolve(directory);
  return {
    project,
    dataFolder: locateData(locateHome(environment)),
    resumable: listSessions(environment),
    transcripts: listProject(environment, project).map((file) => file.path),
    nowMs: nowMs(),
  };
}
