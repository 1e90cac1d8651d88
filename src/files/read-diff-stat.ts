import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A hook has ten seconds, and the client waits: two of these leave it most of them. */
const TIMEOUT_MS = 2000;

/**
 * What git says has changed: against the last commit, or, before there is one, what is staged. Empty where there is no folder,
 * no repository, no git or no answer in time: a block without it is better than none. No program that the project's own
 * configuration names is started for it.
 */
export function readDiffStat(folder: string): string {
  if (folder === "" || !existsSync(folder)) return "";
  for (const against of ["HEAD", "--cached"]) {
    try {
      return execFileSync("git", ["-c", "core.fsmonitor=false", "diff", "--no-ext-diff", "--stat", against], {
        cwd: folder,
        encoding: "utf8",
        timeout: TIMEOUT_MS,
        stdio: ["ignore", "pipe", "ignore"],
      }).trimEnd();
    } catch {
      // No commit yet, or no repository: the next question tells them apart.
    }
  }
  return "";
}
