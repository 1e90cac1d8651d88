import { hasFailed } from "./exit-status.ts";
import type { Tracker } from "./happening.ts";
import { isTestCommand, readTestOutcome, type TestOutcome } from "./test-command.ts";

export interface CommandRecord {
  readonly command: string;
  readonly callId: string;
  readonly request: number;
  readonly exitCode: number | undefined;
  /** Also true if the host reports a failure without its status. */
  readonly isFailed: boolean;
  readonly isTest: boolean;
  /** A test run's result, if its output shows it. */
  readonly tests: TestOutcome | undefined;
}

/** Only the beginning of long scripts is kept; the rest is in the recording. */
const MAX_COMMAND_CHARACTERS = 400;
const MAX_COMMANDS = 1000;

export function createCommandTracker(saved: readonly CommandRecord[] = []): Tracker<readonly CommandRecord[]> {
  const commands = [...saved];
  return {
    follow(happening) {
      if (happening.kind !== "outcome" || happening.action.kind !== "run" || happening.outcome.isRefused) return;
      const { action, outcome, request, callId } = happening;
      const { exitCode } = outcome;
      const isTest = isTestCommand(action.command);
      const isFailed = hasFailed(action, outcome);
      commands.push({
        command: action.command.slice(0, MAX_COMMAND_CHARACTERS),
        callId,
        request,
        exitCode,
        isFailed,
        isTest,
        tests: isTest
          ? readTestOutcome(outcome.text, informativeStatus(action.command, exitCode, isFailed))
          : undefined,
      });
      if (commands.length > MAX_COMMANDS) commands.shift();
    },
    state: () => commands.slice(),
  };
}

/** Only the status of a pipe's last part is known, and `tail` always succeeds. */
function informativeStatus(command: string, exitCode: number | undefined, isFailed: boolean): number | undefined {
  if (isFailed) return exitCode ?? 1;
  return /[^|]\|[^|]/.test(command) && !command.includes("pipefail") ? undefined : exitCode;
}
