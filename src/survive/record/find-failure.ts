import { clipLine } from "../../core/clip-text.ts";
import { isProbe } from "../../session/failed-approaches.ts";
import { findStandingRequest, isDelivered } from "../../session/standing-request.ts";
import { isCheckCommand, isTestCommand } from "../../session/test-command.ts";
import type { ErrorRecord } from "../../session/track-errors.ts";
import type { Happened, NextStep } from "./happened.ts";
import { renderPlace } from "./locate-edit.ts";

const QUOTE_CHARACTERS = 160;
/** A failure older than this is past, unless it was the last run of the tests. */
const RECENT_REQUESTS = 3;
/** A bare "FAIL" says no more than that it failed. */
const TELLING_CHARACTERS = 10;
/** A bare status says nothing of what is to be resolved. */
const BARE_STATUS = /^Exit code \d+$/;

/** A command that was called in a wrong way is called in another: it failed at nothing. */
const MISCALLED =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|no such) (?:option|flag|argument|(?:sub)?command)\b/i;

/** A file that is not there is looked for elsewhere, and a change that was refused is made anew: they stand in nobody's way. */
const PASSING = /^(?:read|search|edit|write) /;

/** What failed since the person last said what they want: what failed before may not be what they want now. */
export function findFailure(happened: Happened): NextStep | undefined {
  const { state } = happened;
  const asked = findStandingRequest(state)?.request ?? 0;
  return findRed(happened, asked) ?? findFreshError(happened, asked);
}

/** The last run of the tests, or of a build or a check that has not worked since: what comes of it is tried by running it again. */
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
  // Whoever commits after it has gone past it.
  if (isDelivered(state.commands, request)) return undefined;
  const line = error && !BARE_STATUS.test(error.line) && error.line.length >= TELLING_CHARACTERS ? error.line : "";
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

/** A command that has just failed, with nothing but looking around since: a change or another command may have gone around it. */
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

/** The failure that stands in the way, as an error: at most one. */
export function findBlocker(happened: Happened): readonly ErrorRecord[] {
  const evidence = findFailure(happened)?.evidence;
  return happened.state.errors.filter(({ callId }) => `call:${callId}` === evidence).slice(-1);
}
