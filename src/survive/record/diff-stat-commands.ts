/**
 * What git says has changed: against the last commit, or, before there is one, what is staged. The first that answers is told. No
 * program that the project's own configuration names is started for it.
 */
export const DIFF_STAT_COMMANDS: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  "HEAD",
  "--cached",
].map((against) => ["git", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff", "--stat", against]);
