import { clipLine } from "../../core/clip-text.ts";
import { isProbe } from "../../session/failed-approaches.ts";
import { findStandingRequest, isDelivered } from "../../session/standing-request.ts";
import { isCheckCommand, isTestCommand } from "../../session/test-command.ts";
import type { ErrorRecord } from "../../session/track-errors.ts";
import type { Happened, NextStep } from "./happened.ts";
import { renderPlace } from "./locate-edit.ts";

const QUOTE_CHARACTERS = 160;
/** An older failure is past, unless it was the last test run. */
const RECENT_REQUESTS = 3;
/** A bare "FAIL" says only that it failed. */
const INFORMATIVE_CHARACTERS = 10;
/** A bare status does not say what to resolve. */
const BARE_STATUS = /^Exit code \d+$/;

/** A command that was called wrongly will be called differently; it did not really fail. */
const MISCALLED =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|no such) (?:option|flag|argument|(?:sub)?command|tool|parameter)\b|\btool \S{1,80} (?:does not exist|is not available|not found)|InputValidationError|command not found/i;

/** A missing file is searched for elsewhere, and a refused edit is made again, so neither blocks the work. */
const PASSING = /^(?:read|search|edit|write) /;

/**
 * What failed in its last run, the newest first. Whether that is still to be settled is not claimed, and what later work went past is left
 * out: the user asked for something else, the work was committed, another command went well. A test or check stays until it passes.
 */
export function listOpenErrors({ state, trail }: Happened): readonly ErrorRecord[] {
  const asked = findStandingRequest(state)?.request ?? 0;
  const isLeft = ({ attempt, line, request, resolvedBy, callId }: ErrorRecord): boolean => {
    if (resolvedBy !== "" || !state.commands.some((ran) => ran.callId === callId)) return false;
    if (request <= asked || isDelivered(state.commands, request)) return false;
    if (PASSING.test(attempt) || MISCALLED.test(line) || BARE_STATUS.test(line)) return false;
    const after = state.commands.filter((ran) => ran.request > request && !ran.isFailed);
    if (isTestCommand(attempt)) return !after.some(({ tests }) => tests?.verdict === "passed");
    if (isCheckCommand(attempt)) return !after.some(({ command }) => isCheckCommand(command));
    const isChanged = (trail.lastEdit?.request ?? 0) > request;
    return !isChanged && after.length === 0;
  };
  const newest = new Map(state.errors.filter(isLeft).map((error) => [error.attempt, error]));
  return [...newest.values()].reverse();
}

/** Failures since the user's last request. An earlier one may not concern what they want now. */
export function findFailure(happened: Happened): NextStep | undefined {
  const { state } = happened;
  const asked = findStandingRequest(state)?.request ?? 0;
  return findRed(happened, asked) ?? findFreshError(happened, asked);
}

/** The last run of the tests, or of a build or check that has not passed since. Running it again shows the outcome. */
function findRed({ state, trail }: Happened, asked: number): NextStep | undefined {
  const test = state.commands.findLast(({ isTest }) => isTest);
  const isRed = test?.tests?.verdict === "failed";
  const error = state.errors.findLast(
    ({ callId, resolvedBy, attempt }) =>
      resolvedBy === "" && (isRed ? callId === test.callId : isCheckCommand(attempt) && !isTestCommand(attempt)),
  );
  const { command, request, callId } =
    (isRed ? test : state.commands.find((ran) => ran.callId === error?.callId)) ?? {};
  if (command === undefined || request === undefined || request <= asked) return undefined;
  // A commit after the failure means that the work went past it.
  if (isDelivered(state.commands, request)) return undefined;
  const line = error && !BARE_STATUS.test(error.line) && error.line.length >= INFORMATIVE_CHARACTERS ? error.line : "";
  return {
    kind: "failure",
    action: [
      `make \`${clipLine(command, 120)}\` pass`,
      line === "" ? "" : `: ${clipLine(line, QUOTE_CHARACTERS)}`,
      (trail.lastEdit?.request ?? 0) > request ? "; not run since the last change" : "",
      renderPlace(trail.lastEdit),
    ].join(""),
    evidence: `call:${callId}`,
  };
}

/** A command that has just failed, followed only by reading. A change or another command may have worked around it. */
function findFreshError({ state, trail }: Happened, asked: number): NextStep | undefined {
  const error = state.errors.findLast(
    ({ resolvedBy, request, line, attempt }) =>
      resolvedBy === "" &&
      !BARE_STATUS.test(line) &&
      !PASSING.test(attempt) &&
      !MISCALLED.test(line) &&
      request > Math.max(asked, state.requests.count - RECENT_REQUESTS),
  );
  if (!error) return undefined;
  const hasRun = state.commands.some(
    ({ request, isFailed, command }) => request > error.request && !isFailed && !isProbe(command),
  );
  if (hasRun || (trail.lastEdit?.request ?? 0) > error.request) return undefined;
  return {
    kind: "failure",
    action: `resolve \`${clipLine(error.attempt, 120)}\`: ${clipLine(error.line, QUOTE_CHARACTERS)}${renderPlace(trail.lastEdit)}`,
    evidence: `call:${error.callId}`,
  };
}

export function findBlocker(happened: Happened): readonly ErrorRecord[] {
  const evidence = findFailure(happened)?.evidence;
  return happened.state.errors.filter(({ callId }) => `call:${callId}` === evidence).slice(-1);
}
