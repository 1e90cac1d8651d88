import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { DIFF_STAT_COMMANDS } from "../survive/record/diff-stat-commands.ts";

/** A hook has ten seconds, and the client waits: two of these leave most of them. */
const TIMEOUT_MS = 2000;

/** Empty without a folder, a repository, git or an answer in time: a block without it is better than none. */
export function readDiffStat(folder: string): string {
  if (folder === "" || !existsSync(folder)) return "";
  for (const [program, ...args] of DIFF_STAT_COMMANDS) {
    try {
      return execFileSync(program, args, {
        cwd: folder,
        encoding: "utf8",
        timeout: TIMEOUT_MS,
        stdio: ["ignore", "pipe", "ignore"],
      }).trimEnd();
    } catch {
      // No commit yet, or no repository: the next command tells them apart.
    }
  }
  return "";
}
