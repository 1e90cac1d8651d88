import { homedir } from "node:os";
import path from "node:path";
import { readHead } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import type { Environment } from "../../host.ts";
import { findTextField } from "../../tool-table.ts";

function locateHome(environment: Environment): string {
  return environment.COPILOT_HOME || path.join(environment.HOME || homedir(), ".copilot");
}

export const copilotSessions: FilesOfClient = filesOfClient({
  locateHome,
  locateTranscripts: (environment) => path.join(locateHome(environment), "session-state"),
  isNamed: (name) => name.endsWith(".jsonl"),
  describe: (file) => ({ project: findTextField(readHead(file), "cwd"), isSubagent: false }),
  /** `<id>/events.jsonl`, or `<id>.jsonl` of older clients. */
  nameSession(file) {
    const name = path.basename(file, ".jsonl");
    return name === "events" ? path.basename(path.dirname(file)) : name;
  },
});

export function beginsSession(head: string): boolean {
  return /^\s{0,9}\{\s{0,9}"type"\s{0,4}:\s{0,4}"session\.start"/.test(head);
}
