import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** A hook has ten seconds, and the client waits: two of these leave it most of them. */
const TIMEOUT_MS = 2000;

/** What git says has changed against the last commit, or before there is one what is staged; empty where it does not say. */
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
