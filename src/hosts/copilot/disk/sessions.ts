import path from "node:path";
import { readHead } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import { findTextField } from "../../tool-table.ts";

export const copilotSessions: FilesOfClient = filesOfClient({
  homeVariable: { name: "COPILOT_HOME", otherwise: "~/.copilot" },
  locateTranscripts: (home) => path.join(home, "session-state"),
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
