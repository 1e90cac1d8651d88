import { clipLine } from "../../core/clip-text.ts";
import type { SessionState } from "../../session/session.ts";
import type { ErrorRecord } from "../../session/track-errors.ts";
import { isCheck, isMisuse, isTest } from "./usual-command.ts";

const MAX_BLOCKERS = 3;
const MAX_COMMAND = 80;
const MAX_LINE = 160;
/** What failed longer ago was gone around. */
const RECENT_REQUESTS = 5;

/** What stands in the way: tests and checks that failed last, and whatever failed just now while the work is not done. */
export function findBlockers(state: SessionState): readonly string[] {
  const commands = new Set(state.commands.map(({ callId }) => callId));
  const isDone = state.episodes.at(-1)?.status === "done";
  const isBlocking = ({ attempt, line, callId, request, resolvedBy }: ErrorRecord): boolean => {
    if (resolvedBy !== "" || !commands.has(callId)) return false;
    if (isTest(attempt) || isCheck(attempt)) return !isMisuse(line);
    return !isDone && request > state.requests.count - RECENT_REQUESTS;
  };
  const last = new Map(state.errors.filter(isBlocking).map(({ attempt, line }) => [attempt, line]));
  return [...last]
    .slice(-MAX_BLOCKERS)
    .map(([attempt, line]) => `\`${clipLine(attempt, MAX_COMMAND)}\`: ${clipLine(line, MAX_LINE)}`);
}
