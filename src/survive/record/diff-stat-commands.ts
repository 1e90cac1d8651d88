/** What git says has changed since the last commit, or what is staged if there is none. None starts a program that the project's own configuration names. */
export const DIFF_STAT_COMMANDS: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  "HEAD",
  "--cached",
].map((against) => ["git", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff", "--stat", against]);
