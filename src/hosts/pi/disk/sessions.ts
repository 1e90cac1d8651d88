import path from "node:path";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";

function nameFolder(directory: string): string {
  return `--${directory.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

export const piSessions: FilesOfClient = filesOfClient({
  homeVariable: { name: "PI_CODING_AGENT_DIR", otherwise: "~/.pi/agent" },
  locateTranscripts(home, project, environment) {
    const all = environment.PI_CODING_AGENT_SESSION_DIR || path.join(home, "sessions");
    return project === undefined ? all : path.join(all, nameFolder(project));
  },
  liesByProject: true,
  isNamed: (name) => name.endsWith(".jsonl"),
  describe: (file) => ({ project: path.basename(path.dirname(file)), isSubagent: false }),
  /** `<time>_<id>.jsonl`. */
  nameSession(file) {
    const name = path.basename(file, ".jsonl");
    return name.slice(name.lastIndexOf("_") + 1);
  },
});

/** `--<path>--/<time>_<id>.jsonl`. */
export function isOwnPath(file: string): boolean {
  return /[/\\]--[^/\\]*--[/\\][^/\\]*\.jsonl$/.test(file);
}

/** Its first record is flat; the order of its fields varies. */
export function beginsSession(head: string): boolean {
  const [first] = /^\s{0,9}\{[^{}]{0,4000}/.exec(head) ?? [""];
  return /"type"\s{0,4}:\s{0,4}"session"/.test(first) && first.includes('"cwd"');
}
