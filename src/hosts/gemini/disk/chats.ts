import path from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { sha256 } from "../../../core/sha256.ts";
import { readHead, readObject } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";

/** No chat comes near this. */
const MOST_CHAT_BYTES = 512 << 20;

export const chats: FilesOfClient = filesOfClient({
  homeVariable: { name: "GEMINI_CLI_HOME", otherwise: "~", folder: ".gemini" },
  /** A project's folder is named by the hash of its path. */
  locateTranscripts: (home, project) => path.join(home, "tmp", project === undefined ? "" : sha256(project)),
  liesByProject: true,
  isNamed: (name) => /\.jsonl?$/.test(name),
  isOwn: (file) => beginsChat(readHead(file)),
  describe(file) {
    const folder = path.dirname(file);
    const project = path.basename(path.basename(folder) === "chats" ? path.dirname(folder) : folder);
    return { project, isSubagent: false };
  },
  nameSession: (file) => path.basename(file).replace(/\.jsonl?$/, ""),
});

export function beginsChat(head: string): boolean {
  return /^\s{0,9}\{\s{0,9}"sessionId"\s{0,4}:\s{0,4}"[^"]{1,100}"\s{0,4},\s{0,9}"projectHash"/.test(head);
}

export function readChat(file: string): JsonObject {
  return readObject(file, MOST_CHAT_BYTES) ?? {};
}
