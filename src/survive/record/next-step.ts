import { clipLine } from "../../core/clip-text.ts";
import { isUnfinished } from "../../session/action.ts";
import { isAnswer, readClosing } from "../../session/closing.ts";
import type { OpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import {
  findStandingRequest,
  isCarriedOut,
  isDelivered,
  isMereReply,
  isOvertaken,
  opensReview,
  renderRequest,
} from "../../session/standing-request.ts";
import type { UserWords } from "../../session/track-words.ts";
import { findFailure } from "./find-failure.ts";
import type { Happened, NextStep } from "./happened.ts";
import { renderPlace } from "./locate-edit.ts";

const QUOTE_CHARACTERS = 160;
/** For what the user wants and what the model announced, because these are the next step itself. */
const LONG_CHARACTERS = 300;
/** A step announced longer ago is probably done. */
const SAID_REQUESTS = 2;
const RECENT_REQUESTS = 3;
const MAX_THEN = 2;

const UNKNOWN: NextStep = {
  kind: "unknown",
  action: "unknown: the session does not show what comes next; ask the user",
  evidence: "",
};

/** What happened, with the open work. The next step belongs to that work; without any there is none. */
interface Moment extends Happened {
  readonly open: readonly OpenWork[];
}

/** The exact next action, from the strongest evidence to the weakest, or "unknown" if there is none. */
export function findNextStep(happened: Happened, open: readonly OpenWork[]): NextStep {
  const moment = { ...happened, open };
  for (const find of FINDERS) {
    const found = find(moment);
    if (found) return found;
  }
  return UNKNOWN;
}

/** Open items of the client's list, if the list was touched since the user's last request. Otherwise they are not what comes next. */
function listItems({ state, open }: Moment): readonly OpenWork[] {
  const asked = findStandingRequest(state)?.request ?? 0;
  if (!state.work.some(({ changedRequest }) => changedRequest > asked)) return [];
  return open.filter(({ source }) => source === "tasks");
}

function findPrompt({ state }: Happened): NextStep | undefined {
  const asked = state.words.at(-1);
  if (!asked || state.turn?.last !== "asked") return undefined;
  const evidence = `request:${asked.request}`;
  const quoted = renderRequest(asked, LONG_CHARACTERS);
  if (asked.answers !== undefined && isMereReply(asked.text))
    return { kind: "prompt", action: `act on the user's answer: ${quoted}`, evidence };
  return isVague(asked.text)
    ? undefined
    : { kind: "prompt", action: `answer what the user asked: ${quoted}`, evidence };
}

/** The user interrupted, so they decide what comes next. */
function findInterruption({ state }: Happened): NextStep | undefined {
  if (state.turn?.last !== "interrupted") return undefined;
  const { lastAttempt } = state.requests;
  return {
    kind: "question",
    action: `wait for the user, who interrupted${lastAttempt === "" ? "" : ` \`${clipLine(lastAttempt, 120)}\``}`,
    evidence: `request:${state.requests.count}`,
  };
}

/** The turn had ended and goes on all the same: the last words were no end, and nobody waits for the user. */
function findReopening({ state, trail }: Moment): NextStep | undefined {
  const { turn } = state;
  const why = turn?.last === "reopened" ? (turn.reopenedBy ?? "") : "";
  if (why === "") return undefined;
  return {
    kind: "task",
    action: `deal with what came in after the turn: "${clipLine(why, LONG_CHARACTERS)}"${renderPlace(trail.lastEdit)}`,
    evidence: `request:${state.requests.count}`,
  };
}

/** The model spoke last: it announced a step, asked, waits for a subagent, or had finished. */
function findLastWord(moment: Moment): NextStep | undefined {
  const { state, trail, open } = moment;
  const { turn, away = [] } = state;
  if (turn?.last !== "said") return undefined;
  const { kind, words } = readClosing(turn.said, turn);
  const isOver = turn.isTurnEnd ?? isAnswer(turn.said);
  const evidence = `request:${turn.saidRequest}`;
  const quoted = clipLine(words, LONG_CHARACTERS);
  if (kind === "announces")
    return {
      kind: "announced",
      action: `do what was announced: "${quoted}"${renderThen(moment)}${renderPlace(trail.lastEdit)}`,
      evidence,
    };
  if (kind === "asks") return { kind: "question", action: `wait for the user's answer to: "${quoted}"`, evidence };
  if (kind === "awaits" || away.length > 0) return describeAwaited(away.at(-1)?.order ?? "", quoted, evidence);
  const left = open.filter(({ source }) => source === "model");
  if (left.length > 0) return describeLeft(left, isOver, evidence);
  const isUnsettled = listItems(moment).some(({ status }) => status === "active") || findFailure(moment);
  // Unless the turn is known to be over, a failure or an item in progress means that it is not.
  if (isUnsettled && !isOver) return undefined;
  if (isUnsettled || open.length > 0)
    return {
      kind: "question",
      action: `wait for the user: the turn ended with "${quoted}"${renderOpen(open)}`,
      evidence,
    };
  const asked = findStandingRequest(state);
  const last = asked ? `; the user last asked: ${renderRequest(asked, 100)}` : "";
  const { proof, isWhole } = findProof(state, asked?.request ?? 0);
  const said = `${isWhole ? "nothing is open" : "no open task is recorded"}${proof === "" ? "" : `: ${proof}`}`;
  return { kind: isWhole ? "nothing" : "ended", action: `${said}; wait for the user's next prompt${last}`, evidence };
}

/** Phrases that leave something to the user, or for later. */
const RESERVES =
  /\b(?:but|however|except|unless|until|once|blocked|fail(?:s|ed|ing)?|unable|could ?n['’]t|can['’]t|cannot|not|still|skipped|pending|todo|manual(?:ly)?|you(?:['’]ll|['’]d)?|your|(?:run|type|try|restart|reload|test)(?= [*`]|:)|should|caveat|another|subsequent|remember|make sure|say|sorry|apolog\w{0,5}|next|follow-?ups?|remain\w{0,3}|later|future|draft|review|if)\b/i;
const RESERVED_CHARACTERS = 600;

/** What the record shows about the end of the work, and whether it proves that nothing is open. */
function findProof(
  { work, files, commands, turn }: SessionState,
  asked: number,
): { readonly proof: string; readonly isWhole: boolean } {
  const changed = Math.max(asked, ...files.map(({ changedRequest }) => changedRequest));
  const isCommitted = isDelivered(commands, changed - 1) && isDelivered(commands, asked);
  const isListDone = work.some(({ changedRequest }) => changedRequest > asked);
  const reserves = RESERVES.test(turn?.said.slice(-RESERVED_CHARACTERS) ?? "") || opensReview(commands, asked);
  return {
    proof: isListDone ? "every item of the list is done" : isCommitted ? "what was changed is committed" : "",
    // What the user interrupted for this may still be wanted, and a finished list does not show whether the last change was tested.
    isWhole: !reserves && !turn?.isAfterBreak && (isCommitted || (isListDone && changed === asked)),
  };
}

/** The model ended with what it had not done, or would do next. After the turn, the user decides whether to do it. */
function describeLeft([first, ...others]: readonly OpenWork[], isOver: boolean, evidence: string): NextStep {
  const words = clipLine(first?.subject ?? "", LONG_CHARACTERS);
  const rest = renderFirst("then", others);
  if (isOver)
    return { kind: "question", action: `wait for the user; the model said this is left: "${words}"${rest}`, evidence };
  return { kind: "announced", action: `do what the model said is left: "${words}"${rest}`, evidence };
}

function renderOpen(open: readonly OpenWork[]): string {
  const listed = open.filter(({ source }) => source === "tasks");
  return renderFirst("open on the list:", listed);
}

function renderFirst(lead: string, items: readonly OpenWork[]): string {
  const named = items.slice(0, MAX_THEN).map(({ subject }) => `"${clipLine(subject, 80)}"`);
  return named.length === 0 ? "" : `; ${lead} ${named.join(", ")}`;
}

function describeAwaited(order: string, quoted: string, evidence: string): NextStep {
  const what =
    order === "" ? `: "${quoted}"` : ` of the subagent with this order: "${clipLine(order, QUOTE_CHARACTERS)}"`;
  return { kind: "waiting", action: `wait for the report${what}`, evidence };
}

/** What the model itself said comes next, in its own words. */
function findAnnounced({ state, trail }: Happened): NextStep | undefined {
  const { announced } = state;
  const isRecent = announced !== undefined && trail.request - announced.request <= RECENT_REQUESTS;
  // A step without a path, by which its end could be seen, is probably done after a few requests.
  if (!announced || (announced.paths.length === 0 && !isRecent)) return undefined;
  return {
    kind: "announced",
    action: `do what was announced: "${clipLine(announced.text, QUOTE_CHARACTERS)}"${renderPlace(trail.lastEdit)}`,
    evidence: `request:${announced.request}`,
  };
}

/** In the middle of the work: what the user wants, or the list item that is being worked on for it. */
function findTask(moment: Moment): NextStep | undefined {
  const { state, trail, open } = moment;
  const asked = findStandingRequest(state);
  const isCarried = asked !== undefined && isCarriedOut(state, asked);
  // A commit or an answer requested along the way ends nothing while an item is in progress.
  const isAside = isCarried || (asked !== undefined && isOvertaken(state, asked));
  const underWay = open.find(({ source, status }) => source === "tasks" && status === "active");
  const item = listItems(moment)[0] ?? (isAside ? underWay : undefined);
  if (item) {
    const verb = item.status === "active" ? "finish" : "begin";
    return {
      kind: "task",
      action: `${verb} "${clipLine(item.subject, QUOTE_CHARACTERS)}"${renderThen(moment, item)}${renderSaid(state)}${renderPlace(trail.lastEdit)}${renderStep(state)}`,
      evidence: `call:${item.evidence}`,
    };
  }
  if (!asked) return undefined;
  if (isCarried) return describeCarriedOut(moment, asked);
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
  return touched.length > 0 && !work.some(isUnfinished);
}

function renderThen(moment: Moment, current?: OpenWork): string {
  const left = listItems(moment).filter((item) => item !== current);
  return renderFirst("then", left);
}

/** Only the client's list can hold more than the steps that were asked for. */
function describeCarriedOut({ state, open }: Moment, asked: UserWords): NextStep {
  const said = `say that ${renderRequest(asked, 100)} was carried out, then wait for the user`;
  const evidence = `request:${asked.request}`;
  const left = renderOpen(open);
  if (left !== "") return { kind: "question", action: `${said}${left}`, evidence };
  return opensReview(state.commands, asked.request)
    ? { kind: "ended", action: `no open task is recorded; ${said}`, evidence }
    : { kind: "nothing", action: `nothing is open: ${said}`, evidence };
}

/** What the model said with its last calls, whose results are there. */
function renderSaid({ turn, requests }: SessionState): string {
  if (!turn || turn.said === "" || turn.saidRequest < requests.count - SAID_REQUESTS) return "";
  const { kind, words } = readClosing(turn.said);
  return kind === "announces" ? `; the model last said: "${clipLine(words, QUOTE_CHARACTERS)}"` : "";
}

function renderStep({ requests: { lastAttempt } }: SessionState): string {
  return lastAttempt === "" ? "" : `; the last step was \`${clipLine(lastAttempt, 120)}\``;
}

/** The strongest evidence first. */
const FINDERS: readonly ((moment: Moment) => NextStep | undefined)[] = [
  findPrompt,
  findInterruption,
  findReopening,
  findLastWord,
  findFailure,
  findAnnounced,
  findTask,
];

/** Words that do not say what to do next, with anything that may surround them. */
const VAGUE =
  /^(?:please |just |let'?s |then |and |now )*(?:continue|carry on|keep going|keep working|go on|go ahead|proceed|resume|finish up|do the rest|yes|yep|ok(?:ay)?|sure|next(?: step)?|work on it|continue work(?:ing)?)(?: (?:working|work|with (?:it|this|that|the (?:work|task|rest|implementation))|on (?:it|this|the (?:work|task))|from (?:there|here|where (?:we|you) left off)|please|the (?:work|task|session|conversation)|as (?:before|planned)))*[.!…]*$/i;

/** Whether a next action names no file, no command and no subject. */
export function isVague(action: string): boolean {
  const words = action.trim();
  return words === "" || VAGUE.test(words);
}
