import { isProbe, nameAttempt } from "../../session/name-attempt.ts";
import { findPaths } from "../../session/sentences.ts";
import { isCheckCommand, isTestCommand } from "../../session/test-command.ts";

const MAX_CHARACTERS = 120;

/** What a shell or a program says of how it was called: another call is the remedy, whatever the code looks like. */
const MISUSE =
  /command not found|no such file or directory|cannot find module|could not locate|not found|unknown (?:option|flag|command|argument)|unrecogni[sz]ed|invalid (?:option|argument|flag)|is not recognized|not a git repository|permission denied|already (?:checked out|in use)|no matches found|unsupported|missing (?:script|argument)|usage:|unexpected argument|ENOENT/i;

/**
 * A command as it can be run again, without what only shapes its output; empty for scripts of several lines, for parts of a
 * line, and for what looks around: of those nobody can say which part was the point.
 */
export function toUsualCommand(command: string): string {
  const attempt = nameAttempt({ kind: "run", command });
  const isWhole = attempt.length < MAX_CHARACTERS && !/[\n;]|<<|\\$/.test(attempt) && !command.trim().includes("\n");
  const quotes = attempt.match(/["'`]/g)?.length ?? 0;
  return isWhole && quotes % 2 === 0 && !isProbe(attempt) && !/^ssh\b/.test(attempt) ? attempt : "";
}

export function isTest(attempt: string): boolean {
  return isTestCommand(attempt);
}

/** Building, linting, checking types. */
export function isCheck(attempt: string): boolean {
  return isCheckCommand(attempt);
}

/** Of the whole project, wherever it lies: no file and no place of this machine is named. */
export function isOfProject(attempt: string): boolean {
  return (
    findPaths(attempt).length === 0 && !/(?:^|[\s="'])(?:\/|~|[A-Z]:[\\/])|&&|\s-(?:run|k|t|g)\b|--grep/.test(attempt)
  );
}

export function isMisuse(line: string): boolean {
  return MISUSE.test(line);
}
