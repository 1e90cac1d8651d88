import { clipLine } from "../../core/clip-text.ts";
import { isUnfinished } from "../../session/action.ts";
import { isProbe, nameAttempt } from "../../session/failed-approaches.ts";
import { findPaths } from "../../session/sentences.ts";
import type { SessionState } from "../../session/session.ts";
import { isCheckCommand, isTestCommand } from "../../session/test-command.ts";
import type { CommandRecord } from "../../session/track-commands.ts";
import type { Continuation } from "../record/continuation.ts";
import type { Note } from "./section-notes.ts";

const MAX_SUBJECT = 160;
const MAX_LINE = 160;
const MAX_COMMANDS = 3;
const MAX_FAILED = 5;
/** A command run once may have been a try; from here on it is the usual one. */
const USUAL_RUNS = 2;

/** What holds for the project beyond this session: how its tests and checks are run, as seen to pass. */
export function findProjectNotes({ commands }: SessionState): readonly Note[] {
  const passed = commands.filter(({ tests, exitCode, isFailed }) =>
    tests === undefined ? exitCode === 0 && !isFailed : tests.verdict === "passed",
  );
  const usual = listUsual(passed).filter(isOfProject);
  return [
    ...usual.filter(isTestCommand).map((command) => `tests run with \`${command}\``),
    ...usual.filter(isCheckCommand).map((command) => `checked with \`${command}\``),
  ]
    .slice(0, MAX_COMMANDS)
    .map((text) => ({ section: "Project Profile", text }));
}

function listUsual(records: readonly CommandRecord[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { command } of records) {
    const attempt = toUsualCommand(command);
    if (attempt !== "") counts.set(attempt, (counts.get(attempt) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= USUAL_RUNS)
    .sort(([, left], [, right]) => right - left)
    .map(([attempt]) => attempt);
}

/** What a later session on this task should not have to find out again. Settled points are taken off the list. */
export function findTaskNotes(
  state: SessionState,
  { open, closed }: Pick<Continuation, "open" | "closed">,
): readonly Note[] {
  const left = [...open, ...closed]
    .filter(({ source, status }) => source === "tasks" || (source === "model" && status === "open"))
    .map(({ subject, status }) => ({
      section: "What's Left",
      text: clipLine(subject, MAX_SUBJECT),
      isSettled: !isUnfinished({ status }),
    }));
  return [...listFailed(state), ...left];
}

/** The same command that failed again with the same line. A failing test or check is work left to do, not a failed approach. */
function listFailed({ errors, commands }: SessionState): readonly Note[] {
  const ran = new Set(commands.map(({ callId }) => callId));
  return errors
    .filter(({ times, resolvedBy, callId }) => times > 1 && resolvedBy === "" && ran.has(callId))
    .filter(({ attempt, line }) => toUsualCommand(attempt) !== "" && !/^Exit code\b/.test(line))
    .filter(({ attempt }) => !isTestCommand(attempt) && !isCheckCommand(attempt))
    .slice(-MAX_FAILED)
    .map(({ attempt, line, times }) => ({
      section: "What Failed",
      text: `\`${attempt}\` failed ${times} times: ${clipLine(line, MAX_LINE)}`,
    }));
}

const MAX_CHARACTERS = 120;

/** A command that can be run again, without options that only shape its output. Empty for scripts, parts of a line, and commands that only look around. */
export function toUsualCommand(command: string): string {
  const attempt = nameAttempt({ kind: "run", command });
  const isWhole = attempt.length < MAX_CHARACTERS && !/[\n;]|<<|\\$/.test(attempt) && !command.trim().includes("\n");
  const quotes = attempt.match(/["'`]/g)?.length ?? 0;
  return isWhole && quotes % 2 === 0 && !isProbe(attempt) && !/^ssh\b/.test(attempt) ? attempt : "";
}

/** Whether it applies to the whole project: it names no file and no place on this machine. */
function isOfProject(attempt: string): boolean {
  return (
    findPaths(attempt).length === 0 && !/(?:^|[\s="'])(?:\/|~|[A-Z]:[\\/])|&&|\s-(?:run|k|t|g)\b|--grep/.test(attempt)
  );
}
