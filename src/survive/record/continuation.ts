import { clipLine } from "../../core/clip-text.ts";
import type { Action } from "../../session/action.ts";
import type { Episode } from "../../session/episode.ts";
import { isSubstantial } from "../../session/episode-rules.ts";
import { listOpenWork, type OpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import { nameAttempt } from "../../session/track-errors.ts";
import { isVague } from "./is-vague.ts";
import type { EditPlace } from "./locate-edit.ts";
import type { TrailState } from "./trail.ts";

/** Where to go on. `action` is one line and names a file, a command or the person's own words; never "continue working". */
export interface Continuation {
  readonly kind:
    | "prompt"
    | "waiting"
    | "failure"
    | "announced"
    | "doing"
    | "task"
    | "question"
    | "untested"
    | "nothing"
    | "unknown";
  readonly action: string;
  /** The call or request that shows it. */
  readonly evidence: string;
}

export interface Happened {
  readonly state: SessionState;
  readonly trail: TrailState;
}

const QUOTE_CHARACTERS = 160;
const TASK_CHARACTERS = 100;
/** Said longer ago, it is likely done. */
const DOING_REQUESTS = 3;
/** A failure older than this is past, unless it was the last run of the tests. */
const RECENT_REQUESTS = 3;
/** A bare "FAIL" says no more than that it failed. */
const TELLING_CHARACTERS = 10;

/** No test tries words. */
const DOCUMENT = /\.(?:mdx?|txt|rst|adoc)$/i;
/** A bare status says nothing of what is to be resolved. */
const BARE_STATUS = /^Exit code \d+$/;

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
  if (!asked || asked.request < state.requests.count || isVague(asked.text)) return undefined;
  return {
    kind: "prompt",
    action: `answer what the user asked: "${clipLine(asked.text, QUOTE_CHARACTERS)}"`,
    evidence: `request:${asked.request}`,
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

/** The last answer ended with a question: it is the person's turn. */
function findQuestion({ state }: Happened): Continuation | undefined {
  const last = state.episodes.at(-1);
  const closing = last?.closing.trim() ?? "";
  if (!last || !closing.endsWith("?")) return undefined;
  const question = closing.split(/(?<=[.!?\n])\s+/).at(-1) ?? "";
  return {
    kind: "question",
    action: `wait for the user's answer to: "${clipLine(question, QUOTE_CHARACTERS)}"`,
    evidence: last.evidence,
  };
}

/** What failed since the person last said what they want: what failed before may not be what they want now. */
function findFreshFailure(happened: Happened): Continuation | undefined {
  const asked = happened.state.words.findLast(({ text }) => !isVague(text))?.request ?? 0;
  const failure = findFailure(happened);
  return failure && failedAt(happened, failure) > asked ? failure : undefined;
}

function failedAt({ state }: Happened, { evidence }: Continuation): number {
  return state.commands.findLast(({ callId }) => `call:${callId}` === evidence)?.request ?? state.requests.count;
}

/** A red test run, or a command that has just failed. */
function findFailure({ state, trail }: Happened): Continuation | undefined {
  const test = state.commands.findLast((command) => command.isTest);
  const isRed = test?.tests?.verdict === "failed";
  const error = state.errors.findLast(
    ({ resolvedBy, callId, request, line }) =>
      resolvedBy === "" &&
      !BARE_STATUS.test(line) &&
      (isRed ? callId === test.callId : request > state.requests.count - RECENT_REQUESTS),
  );
  if (isRed)
    return {
      kind: "failure",
      action: [
        `make \`${clipLine(test.command, 120)}\` pass`,
        ...(error && error.line.length >= TELLING_CHARACTERS ? [`: ${clipLine(error.line, QUOTE_CHARACTERS)}`] : []),
        renderPlace(trail.lastEdit),
      ].join(""),
      evidence: `call:${test.callId}`,
    };
  if (!error) return undefined;
  return {
    kind: "failure",
    action: `resolve \`${clipLine(error.attempt, 120)}\`: ${clipLine(error.line, QUOTE_CHARACTERS)}${renderPlace(trail.lastEdit)}`,
    evidence: `call:${error.callId}`,
  };
}

/** What the model said itself comes next, in its own words. */
function findAnnounced({ state, trail }: Happened): Continuation | undefined {
  const { announced } = state;
  const isAtWork = state.episodes.at(-1)?.status === "active" || state.episodes.at(-1)?.status === "open";
  if (!announced || !isAtWork) return undefined;
  return {
    kind: "announced",
    action: `do what was announced: "${clipLine(announced.text, QUOTE_CHARACTERS)}"${renderPlace(trail.lastEdit)}`,
    evidence: `request:${announced.request}`,
  };
}

/** What the model is in the middle of, by its own words: nearer than the task it belongs to. */
function findDoing({ state, trail }: Happened): Continuation | undefined {
  const { doing } = state;
  const last = state.episodes.at(-1);
  if (!doing || state.requests.count - doing.request > DOING_REQUESTS) return undefined;
  if (last?.status !== "active" && last?.status !== "open") return undefined;
  const task = state.work.find(({ status }) => status === "active")?.subject ?? nameAsked(last);
  const part = isVague(task) ? "" : `, part of "${clipLine(task, TASK_CHARACTERS)}"`;
  return {
    kind: "doing",
    action: `go on from "${clipLine(doing.text, QUOTE_CHARACTERS)}"${part}${renderPlace(trail.lastEdit)}${renderStep(state)}`,
    evidence: `request:${doing.request}`,
  };
}

function nameAsked({ firstAsked, lastAsked }: Episode): string {
  return isSubstantial(lastAsked) ? lastAsked : firstAsked;
}

/** What is being done, or the next on the list. */
function findTask({ state, trail }: Happened): Continuation | undefined {
  const [task] = listOpenWork(state);
  const episode = state.episodes.find(({ id }) => id === task?.id);
  return task && describeTask({ ...task, ...(episode && { subject: nameAsked(episode) }) }, { state, trail });
}

/** The list is done but what the person asked for is not. */
function findEpisode({ state, trail }: Happened): Continuation | undefined {
  const last = state.episodes.at(-1);
  if (last?.status !== "active" && last?.status !== "open") return undefined;
  return describeTask({ ...last, subject: nameAsked(last) }, { state, trail });
}

type Task = Pick<OpenWork, "status" | "subject" | "evidence">;

function describeTask({ status, subject, evidence }: Task, { state, trail }: Happened): Continuation | undefined {
  if (isVague(subject)) return undefined;
  return {
    kind: "task",
    action: `${status === "active" ? "finish" : "begin"} "${clipLine(subject, QUOTE_CHARACTERS)}"${renderPlace(trail.lastEdit)}${renderStep(state)}`,
    evidence: renderEvidence(evidence),
  };
}

function renderStep({ requests: { lastAttempt } }: SessionState): string {
  return lastAttempt === "" ? "" : `; the last step was \`${clipLine(lastAttempt, 120)}\``;
}

/** What was changed after the tests last ran has not been shown to work. */
function findUntested({ state, trail }: Happened): Continuation | undefined {
  const test = state.commands.findLast((command) => command.isTest);
  const { lastEdit } = trail;
  if (!test || !lastEdit || lastEdit.request <= test.request || DOCUMENT.test(lastEdit.path) || isScratch(lastEdit))
    return undefined;
  return {
    kind: "untested",
    action: `run \`${clipLine(test.command, 120)}\`: not run since the change at ${renderAddress(lastEdit)}`,
    evidence: `request:${lastEdit.request}`,
  };
}

function findAnswered({ state }: Happened): Continuation | undefined {
  const last = state.episodes.at(-1);
  if (last?.status !== "done" || last.closing === "") return undefined;
  return {
    kind: "nothing",
    action: `nothing is open: "${clipLine(last.firstAsked, 100)}" was answered; wait for the user's next prompt`,
    evidence: last.evidence,
  };
}

/** `; the last change was at src/a.ts:12 (parseLine)`, as much of it as is known. */
function renderPlace(place: EditPlace | undefined): string {
  return place && !isScratch(place) ? `; the last change was at ${renderAddress(place)}` : "";
}

/** Written to be thrown away: nobody goes on from there. */
function isScratch({ path }: EditPlace): boolean {
  return /(?:^|[\\/])(?:te?mp|scratchpad)[\\/]/i.test(path);
}

export function renderAddress({ path, line, symbol }: EditPlace): string {
  return `${path}${line === undefined ? "" : `:${line}`}${symbol === "" ? "" : ` (${symbol})`}`;
}

/** The surest sign first. */
const FINDERS: readonly ((happened: Happened) => Continuation | undefined)[] = [
  findPrompt,
  findWaiting,
  findQuestion,
  findFreshFailure,
  findAnnounced,
  findDoing,
  findTask,
  findEpisode,
  findFailure,
  findUntested,
  findAnswered,
];

/** Evidence is a call's id unless it says otherwise. */
export function renderEvidence(evidence: string): string {
  return evidence === "" || /^(?:request|call):/.test(evidence) ? evidence : `call:${evidence}`;
}
