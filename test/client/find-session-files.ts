import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";

/** Everything that the client keeps of one session. */
export interface SessionFiles {
  readonly sessionId: string;
  readonly transcript: string;
  /** `agent-*.jsonl` and their `.meta.json`. */
  readonly subagents: readonly string[];
  /** Outputs that were too large for the conversation. */
  readonly toolResults: readonly string[];
  /** The task list, one file per task; it lies outside the project's folder. */
  readonly tasks: readonly string[];
}

/** Finds the sessions under a HOME, the oldest first. */
export async function findSessionFiles(home: string): Promise<readonly SessionFiles[]> {
  const projects = join(home, ".claude", "projects");
  const sessions: { readonly files: SessionFiles; readonly bornMs: number }[] = [];
  for (const project of await list(projects)) {
    for (const transcript of (await list(project)).filter((path) => path.endsWith(".jsonl"))) {
      const sessionId = basename(transcript, ".jsonl");
      const folder = join(project, sessionId);
      const files: SessionFiles = {
        sessionId,
        transcript,
        subagents: await list(join(folder, "subagents")),
        toolResults: await list(join(folder, "tool-results")),
        tasks: (await list(join(home, ".claude", "tasks", sessionId))).filter((path) => path.endsWith(".json")),
      };
      sessions.push({ files, bornMs: (await stat(transcript)).birthtimeMs });
    }
  }
  return sessions.sort((a, b) => a.bornMs - b.bornMs).map((session) => session.files);
}

async function list(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().map((name) => join(folder, name));
}
