import { clipLine } from "../../core/clip-text.ts";
import type { Action } from "../../session/action.ts";
import { readClosing } from "../../session/closing.ts";
import { listItems } from "../../session/current-items.ts";
import type { SessionState } from "../../session/session.ts";
import {
  findStandingRequest,
  isCarriedOut,
  isMereReply,
  isOvertaken,
  renderRequest,
} from "../../session/standing-request.ts";
import { nameAttempt } from "../../session/track-errors.ts";
import type { UserWords } from "../../session/track-words.ts";
import type { WorkItem } from "../../session/track-work.ts";
import { findFailure } from "./find-failure.ts";
import type { Continuation, Happened } from "./happened.ts";
import { isVague } from "./is-vague.ts";
import { renderPlace } from "./render-place.ts";

export type { Continuation, Happened } from "./happened.ts";
export { renderAddress } from "./render-place.ts";

const QUOTE_CHARACTERS = 160;
/** What the person wants, and what the model announced: the next step itself. */
const LONG_CHARACTERS = 300;
/** Said longer ago, it is likely done. */
const SAID_REQUESTS = 2;
const RECENT_REQUESTS = 3;
/** So many of the next items of the list are named. */
const MAX_THEN = 2;

const UNKNOWN: Continuation = {
  kind: "unknown",
  action: "unknown: nothing recorded tells what comes next; ask the user",
  evidence: "",
};

/** The exact next action, from the surest sign to the weakest; an honest "unknown" where there is none. */
export function findContinuation(happened: Happened): Continuation {
  for (const find of FINDERS) {
    const found = find(happened);
    if (found) return found;
  }
  return UNKNOWN;
}

/**
 * What happened, as it stands where no call can be under way: a client compacts and ends between calls, so a result that is
 * not there has come back and was not written down yet.
 */
export function settleCalls({ state, trail }: Happened): Happened {
  return { state: { ...state, openCalls: [] }, trail };
}

/** The person asked and nobody has answered yet. */
function findPrompt({ state }: Happened): Continuation | undefined {
  const asked = state.words.at(-1);
  if (!asked || state.turn?.last !== "asked") return undefined;
  const evidence = `request:${asked.request}`;
  const quoted = renderRequest(asked, LONG_CHARACTERS);
  if (asked.answers !== undefined && isMereReply(asked.text))
    return { kind: "prompt", action: `take up the user's answer: ${quoted}`, evidence };
  return isVague(asked.text)
    ? undefined
    : { kind: "prompt", action: `answer what the user asked: ${quoted}`, evidence };
}

/** The person broke off: what comes next is theirs to say. */
function findInterruption({ state }: Happened): Continuation | undefined {
  if (state.turn?.last !== "interrupted") return undefined;
  const { lastAttempt } = state.requests;
  return {
    kind: "question",
    action: `wait for the user, who broke off${lastAttempt === "" ? "" : ` \`${clipLine(lastAttempt, 120)}\``}`,
    evidence: `request:${state.requests.count}`,
  };
}

/** A call of the last request without its result; older ones never get theirs. */
function findWaiting({ state, trail }: Happened): Continuation | undefined {
  const last = new Set(trail.calls.filter(({ request }) => request === trail.request).map(({ callId }) => callId));
  const call = state.openCalls.findLast(({ callId, action }) => last.has(callId) && isNameable(action));
  if (!call) return undefined;
  return {
    kind: "waiting",
    action: `take up the result of \`${clipLine(nameAttempt(call.action), QUOTE_CHARACTERS)}\`, which had not come back`,
    evidence: `call:${call.callId}`,
  };
}

function isNameable({ kind }: Action): boolean {
  return (
    kind === "run" || kind === "read" || kind === "write" || kind === "edit" || kind === "search" || kind === "fetch"
  );
}

/** The model spoke last: it announced a step, asked, waits for somebody it sent off, or had finished. */
function findLastWord({ state, trail }: Happened): Continuation | undefined {
  const { turn, away = [] } = state;
  if (turn?.last !== "said") return undefined;
  const { kind, words } = readClosing(turn.said, turn);
  const evidence = `request:${turn.saidRequest}`;
  const quoted = clipLine(words, LONG_CHARACTERS);
  if (kind === "announces")
    return {
      kind: "announced",
      action: `do what was announced: "${quoted}"${renderThen(state)}${renderPlace(trail.lastEdit)}`,
      evidence,
    };
  if (kind === "asks") return { kind: "question", action: `wait for the user's answer to: "${quoted}"`, evidence };
  if (kind === "awaits" || away.length > 0) return describeAwaited(away.at(-1)?.order ?? "", quoted, evidence);
  const isUnfinished = listItems(state).some(({ status }) => status === "active") || findFailure({ state, trail });
  // Unless the host tells that the turn is over, what is red or being done says that it is not.
  if (isUnfinished && turn.isTurnEnd !== true) return undefined;
  if (isUnfinished) return { kind: "question", action: `wait for the user: the turn ended with "${quoted}"`, evidence };
  const asked = findStandingRequest(state);
  const answered = asked ? `${renderRequest(asked, 100)} was answered` : "the last answer ended the turn";
  return { kind: "nothing", action: `nothing is open: ${answered}; wait for the user's next prompt`, evidence };
}

function describeAwaited(order: string, quoted: string, evidence: string): Continuation {
  const what =
    order === "" ? `: "${quoted}"` : ` of the agent that was sent off: "${clipLine(order, QUOTE_CHARACTERS)}"`;
  return { kind: "waiting", action: `wait for the report${what}`, evidence };
}

/** What the model said itself comes next, in its own words. */
function findAnnounced({ state, trail }: Happened): Continuation | undefined {
  const { announced } = state;
  const isRecent = announced !== undefined && trail.request - announced.request <= RECENT_REQUESTS;
  // Without a name by which its end is seen, a step is likely done after a few requests.
  if (!announced || (announced.paths.length === 0 && !isRecent)) return undefined;
  return {
    kind: "announced",
    action: `do what was announced: "${clipLine(announced.text, QUOTE_CHARACTERS)}"${renderPlace(trail.lastEdit)}`,
    evidence: `request:${announced.request}`,
  };
}

/** In the middle of the work: what the person wants, or the item of the list that is being worked on for it. */
function findTask({ state, trail }: Happened): Continuation | undefined {
  const asked = findStandingRequest(state);
  const item = listItems(state)[0];
  if (item) {
    const verb = item.status === "active" ? "finish" : "begin";
    return {
      kind: "task",
      action: `${verb} "${clipLine(item.subject, QUOTE_CHARACTERS)}"${renderThen(state, item)}${renderSaid(state)}${renderPlace(trail.lastEdit)}${renderStep(state)}`,
      evidence: renderEvidence(item.evidence),
    };
  }
  if (!asked) return undefined;
  if (isCarriedOut(state, asked)) return describeCarriedOut(asked);
  if (isOvertaken(state, asked)) return undefined;
  const verb = isListDone(state, asked) ? "every item of the list is done; check and close" : "finish";
  return {
    kind: "task",
    action: `${verb} ${renderRequest(asked, LONG_CHARACTERS)}${renderSaid(state)}${renderPlace(trail.lastEdit)}${renderStep(state)}`,
    evidence: `request:${asked.request}`,
  };
}

function isListDone({ work }: SessionState, { request }: UserWords): boolean {
  const touched = work.filter(({ changedRequest }) => changedRequest > request);
  return touched.length > 0 && work.every(({ status }) => status !== "active" && status !== "open");
}

function renderThen(state: SessionState, current?: WorkItem): string {
  const left = listItems(state).filter((item) => item !== current);
  const named = left.slice(0, MAX_THEN).map(({ subject }) => `"${clipLine(subject, 80)}"`);
  return named.length === 0 ? "" : `; then ${named.join(", ")}`;
}

function describeCarriedOut(asked: UserWords): Continuation {
  return {
    kind: "nothing",
    action: `nothing is open but to say so: ${renderRequest(asked, 100)} was carried out; wait for the user's next prompt`,
    evidence: `request:${asked.request}`,
  };
}

/** What the model said with its last calls, whose results are there. */
function renderSaid({ turn, requests }: SessionState): string {
  if (!turn || turn.said === "" || turn.saidRequest < requests.count - SAID_REQUESTS) return "";
  const { kind, words } = readClosing(turn.said);
  return kind === "announces" ? `; said last: "${clipLine(words, QUOTE_CHARACTERS)}"` : "";
}

function renderStep({ requests: { lastAttempt } }: SessionState): string {
  return lastAttempt === "" ? "" : `; the last step was \`${clipLine(lastAttempt, 120)}\``;
}

/** The surest sign first. */
const FINDERS: readonly ((happened: Happened) => Continuation | undefined)[] = [
  findPrompt,
  findInterruption,
  findWaiting,
  findLastWord,
  findFailure,
  findAnnounced,
  findTask,
];

/** Evidence is a call's id unless it says otherwise. */
export function renderEvidence(evidence: string): string {
  return evidence === "" || /^(?:request|call):/.test(evidence) ? evidence : `call:${evidence}`;
}
