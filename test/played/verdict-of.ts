import type { PlayedRun } from "./play-session.ts";

/**
 * PLUG THE AUDITOR IN HERE: the law's verdict over what the API was sent. `run.requests` holds every request in order; what
 * the module has put away lies in `run.home` and `run.cwd` until `run.remove()`; `run.result.sessionId` names the session.
 */
export async function verdictOf(run: PlayedRun): Promise<string> {
  return run.arm === "module" ? "not audited" : "none of ours";
}
