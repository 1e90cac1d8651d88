import type { PlayedRun } from "./play-session.ts";

/**
 * PLUG THE AUDITOR IN HERE: the law's verdict over what the API was sent. `run.requests` holds every request in order,
 * `run.home` and `run.cwd` what the module has put away, until `run.remove()`.
 */
export function verdictOf(run: PlayedRun): string {
  return run.arm === "module" ? "not audited" : "none of ours";
}
