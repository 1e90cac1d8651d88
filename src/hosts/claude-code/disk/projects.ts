import { existsSync, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../../core/render-failure.ts";
import { locateSpareHome } from "../../../policy/actions/data-paths.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import type { Environment } from "../../host.ts";

export const projects: FilesOfClient = filesOfClient(
  {
    homeVariable: { name: "CLAUDE_CONFIG_DIR", otherwise: "~/.claude" },
    locateTranscripts: (home, project) =>
      path.join(home, "projects", project === undefined ? "" : nameProjectFolder(project)),
    liesByProject: true,
    isNamed: (name) => name.endsWith(".jsonl"),
    nameSession,
    describe(file, root) {
      const [first = ""] = path.relative(root, file).split(path.sep);
      return {
        project: first === "" || first.endsWith(".jsonl") ? path.basename(path.dirname(path.resolve(file))) : first,
        isSubagent: /(?:^|[.])agent-/.test(path.basename(file)) || file.includes(`${path.sep}subagents${path.sep}`),
      };
    },
  },
  {
    /** By its name alone. A link is rejected, because it could lead anywhere. */
    findTranscript(environment, project, sessionId) {
      const file = path.join(projects.locateTranscripts(environment, project), `${sessionId}.jsonl`);
      return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
    },
    /** `undefined` if their folder cannot be read. */
    listSessions(environment) {
      const root = projects.locateTranscripts(environment);
      try {
        const files = readdirSync(root).flatMap((project) => listQuietly(path.join(root, project)));
        return new Set(files.filter((file) => file.endsWith(".jsonl")).map(nameSession));
      } catch {
        return undefined;
      }
    },
  },
);

/** Plimsoll's own folder: inside the client's, which is not created for someone who does not use the client. */
export function locateOwnHome(environment: Environment): string {
  const home = projects.locateHome(environment);
  const isUsed = environment.CLAUDE_CONFIG_DIR || existsSync(home);
  return isUsed || !environment.HOME ? home : locateSpareHome(environment);
}

export function nameProjectFolder(directory: string): string {
  return directory.replace(/[^a-zA-Z0-9]/g, "-");
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

function nameSession(file: string): string {
  return path.basename(file, ".jsonl");
}
