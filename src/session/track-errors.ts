import { findErrorLine } from "../fold/error-line.ts";
import { isChange } from "./action.ts";
import { hasFailed, isAnswered } from "./exit-status.ts";
import {
  type Attempted,
  type AttemptShape,
  isProbe,
  isSameAttempt,
  isWhole,
  nameAttempt,
  shapeAttempt,
} from "./failed-approaches.ts";
import { normalizePath } from "./file-path.ts";
import type { HappeningOf, Tracker } from "./happening.ts";
import { findSilentFailure, isStatusInformative } from "./silent-failure.ts";
import { isTestCommand, readTestOutcome } from "./test-command.ts";

/** Something that went wrong, and the later call that shows it no longer does. */
export interface ErrorRecord extends Attempted {
  readonly callId: string;
  readonly resolvedBy: string;
  readonly resolvedRequest: number;
  /** Files changed since it first failed, newest last; once it is resolved, they are the fix. */
  readonly editedFiles: readonly string[];
}

interface Known {
  record: ErrorRecord;
  readonly shape: AttemptShape;
}

const MAX_ERRORS = 500;
const MAX_WATCHED = 100;
const MAX_EDITED_FILES = 5;

export function createErrorTracker(saved: readonly ErrorRecord[] = []): Tracker<readonly ErrorRecord[]> {
  let errors: Known[] = saved.map((record) => ({ record, shape: shapeAttempt(record.attempt) }));

  const fail = (record: ErrorRecord): void => {
    const last = errors.findLast(({ record: other }) => other.resolvedBy === "" && other.attempt === record.attempt);
    if (last && last.record.line === record.line) {
      const { callId, request } = record;
      last.record = { ...last.record, callId, request, times: last.record.times + 1 };
    } else errors = [...errors, { record, shape: shapeAttempt(record.attempt) }].slice(-MAX_ERRORS);
  };

  const watched = (): readonly Known[] => errors.slice(-MAX_WATCHED).filter(({ record }) => record.resolvedBy === "");

  /** The same attempt with success proves that the error is gone. */
  const succeed = (attempt: string, resolvedRequest: number, resolvedBy: string): void => {
    const open = watched();
    if (open.length === 0) return;
    const shape = shapeAttempt(attempt);
    for (const known of open)
      if (known.record.attempt === attempt || isSameAttempt(known.shape, shape))
        known.record = { ...known.record, resolvedBy, resolvedRequest };
  };

  const noteEdit = (path: string): void => {
    for (const known of watched()) {
      const files = known.record.editedFiles.filter((file) => file !== path);
      known.record = { ...known.record, editedFiles: [...files, path].slice(-MAX_EDITED_FILES) };
    }
  };

  const followOutcome = ({ action, outcome, request, callId }: HappeningOf<"outcome">): void => {
    const attempt = nameAttempt(action);
    if (isAnswered(action, outcome)) return;
    const isFailed = hasFailed(action, outcome);
    const silent = action.kind === "run" && !isFailed ? findSilentFailure(action.command, outcome.text) : "";
    const line = isFailed ? findErrorLine(outcome.text, { isFailed }) : silent;
    if (isFailed && action.kind === "run" && isProbe(attempt)) return;
    if (line !== "")
      fail({ attempt, line, callId, request, resolvedBy: "", resolvedRequest: 0, times: 1, editedFiles: [] });
    if (isFailed || line !== "") return;
    if (isChange(action)) noteEdit(normalizePath(action.path));
    if (action.kind !== "run" || isShownToWork(action.command, outcome.text)) succeed(attempt, request, callId);
  };

  return {
    follow(happening) {
      if (happening.kind === "outcome" && !happening.outcome.isRefused) followOutcome(happening);
    },
    state: () => errors.map(({ record }) => record),
  };
}

/** For tests in a pipe, and anything behind a filter, only the printed text shows success; for counts, a zero. */
function isShownToWork(command: string, text: string): boolean {
  if (/\|\s*(?:wc\b|grep -c\b)[^|]*$/.test(command)) return /^\s*0\s*$/.test(text);
  const needsProof = isTestCommand(command) || /\|\s*(?:e?grep|rg)\b/.test(command);
  return isStatusInformative(command) || !needsProof || readTestOutcome(text, undefined).verdict === "passed";
}

/** Whether files were changed before the same command succeeded. A reworded try, the first line of a script, and a rejected call say nothing about the cause. */
export function isFixKnown({ attempt, resolvedBy, editedFiles }: ErrorRecord): boolean {
  return resolvedBy !== "" && editedFiles.length > 0 && isWhole(attempt) && !/^(?:edit|write|read) /.test(attempt);
}
