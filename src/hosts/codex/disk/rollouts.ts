import path from "node:path";
import { type JsonObject, textField } from "../../../core/json.ts";
import { listFiles } from "../../../files/list-files.ts";
import { readHead } from "../../../files/read-regular-file.ts";
import { type FilesOfClient, filesOfClient } from "../../files-of-client.ts";
import type { Environment, Served } from "../../host.ts";
import { findTextField } from "../../tool-table.ts";

const isNamed = (name: string): boolean => name.endsWith(".jsonl");

/** `rollout-<time>-<id>.jsonl`; any other file is called by its whole name. */
function nameSession(file: string): string {
  return path.basename(file, ".jsonl").replace(/^rollout-[\dT-]{10,30}-(?=[0-9a-f]{8}-)/, "");
}

export const rollouts: FilesOfClient = filesOfClient(
  {
    homeVariable: { name: "CODEX_HOME", otherwise: "~/.codex" },
    // Sorted by day, not by project.
    locateTranscripts: (home) => path.join(home, "sessions"),
    listArchives: (home) => [path.join(home, "archived_sessions")],
    isNamed,
    nameSession,
    /** The first record names the project, and says whether another session started this one. */
    describe(file) {
      const head = readHead(file);
      return { project: findTextField(head, "cwd"), isSubagent: /"source"\s{0,4}:\s{0,4}\{"subagent"/.test(head) };
    },
  },
  {
    /** By its name alone: ids are unique, and no project has to be read for it. */
    findTranscript(environment, _project, sessionId) {
      const isWanted = (name: string): boolean => isNamed(name) && nameSession(name) === sessionId;
      return listFiles(rollouts.locateTranscripts(environment), isWanted)[0]?.path;
    },
  },
);

/** Recognised by the type of its first record, or by the fields of its payload, which another program may write before the type. */
export function beginsRollout(head: string): boolean {
  return (
    /^\s{0,9}\{[^{}]{0,200}"type"\s{0,4}:\s{0,4}"session_meta"/.test(head) ||
    (/^\s{0,9}\{\s{0,9}"(?:payload|type)"/.test(head) && head.includes('"session_meta"')) ||
    (/^\s{0,9}\{\s{0,9}"payload"\s{0,4}:\s{0,4}\{/.test(head) && head.includes('"cli_version"'))
  );
}

/** A plugin's server knows neither project nor session, but every call names its session (seen in 0.166), whose record names the project. */
export function findCaller(meta: JsonObject, environment: Environment): Served | undefined {
  if (!Object.keys(meta).some((name) => name.startsWith("x-codex-"))) return undefined;
  const sessionId = textField(meta, "threadId") || textField(meta, "sessionId");
  const rollout = sessionId === "" ? undefined : rollouts.findTranscript(environment, "", sessionId);
  return rollout === undefined ? undefined : { project: findTextField(readHead(rollout), "cwd"), sessionId };
}
