import { cp } from "node:fs/promises";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import type { ClientVersion } from "../client/fetch-client.ts";
import { findSessionFiles, type SessionFiles } from "../client/find-session-files.ts";
import { runClient } from "../client/run-client.ts";
import { createWorkspace, type Workspace } from "../client/workspace.ts";
import type { Stage } from "./recording.ts";

export interface OpenStage {
  readonly stage: Stage;
  readonly workspace: Workspace;
  readonly api: () => ScriptedApi;
  session(): Promise<SessionFiles>;
  close(): Promise<void>;
}

export async function createStage(version: ClientVersion): Promise<OpenStage> {
  const workspace = await createWorkspace();
  // Fixtures are to show sessions, not signatures under commits.
  await workspace.writeHome(".claude/settings.json", JSON.stringify({ attribution: { commit: "", pr: "" } }));
  let served: ScriptedApi | null = null;
  let sessionId = "";
  function api(): ScriptedApi {
    if (served === null) throw new Error("the recording must call serve() before its first prompt");
    return served;
  }
  const stage: Stage = {
    version,
    cwd: workspace.cwd,
    write: workspace.writeFile,
    copy: (folder) => cp(folder, workspace.cwd, { recursive: true }),
    async serve(scenario) {
      served = await createScriptedApi(scenario);
    },
    async prompt(words, options = {}) {
      const result = await runClient({
        version,
        prompts: [words],
        cwd: workspace.cwd,
        home: workspace.home,
        apiUrl: api().url,
        model: options.model ?? "claude-sonnet-4-6",
        env: options.env ?? {},
        ...(sessionId === "" ? {} : { resume: sessionId }),
        ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      });
      sessionId = result.sessionId;
      const expected = options.exitCode === undefined ? 0 : options.exitCode;
      const isExpected = expected === null ? result.isTimedOut : result.exitCode === expected;
      if (!isExpected) {
        const last = JSON.stringify(result.events.at(-1) ?? null).slice(0, 500);
        throw new Error(
          `the client ended with ${result.exitCode}, not ${expected}: ${result.stderr.slice(0, 500)} ${last}`,
        );
      }
      return result;
    },
  };
  return {
    stage,
    workspace,
    api,
    async session() {
      const sessions = await findSessionFiles(workspace.home);
      const session = sessions.find((files) => files.sessionId === sessionId);
      if (session === undefined) throw new Error(`the client wrote no transcript for session ${sessionId}`);
      return session;
    },
    async close() {
      await served?.close();
      await workspace.remove();
    },
  };
}
