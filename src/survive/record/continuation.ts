import { isUnfinished } from "../../session/action.ts";
import { readRemainder } from "../../session/closing.ts";
import { isInquiry } from "../../session/episodes/episode-ending.ts";
import { listWork, type OpenWork, orderOpen } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import { isCarriedOut, renderRequest } from "../../session/standing-request.ts";
import { describeSubject, findSubject } from "../../session/subject.ts";
import type { Decision } from "../../session/track-decisions.ts";
import { type ErrorRecord, isFixKnown } from "../../session/track-errors.ts";
import { findBlocker, listOpenErrors } from "./find-failure.ts";
import type { Happened, NextStep } from "./happened.ts";
import { findNextStep } from "./next-step.ts";

export type { Happened, NextStep } from "./happened.ts";

/** The state of the work at one moment. Record, summary, checkpoint, packet and report are all rendered from it, so they cannot contradict each other. */
export interface Continuation {
  /** The item in progress, otherwise what the session is about; empty if nothing was named. */
  readonly task: string;
  /** How many requests ago the user named it; 0 for an item in progress, or if nothing was named. */
  readonly taskAge: number;
  /** Finished by the client's own list, or something was done for it. */
  readonly done: readonly OpenWork[];
  /** Everything unfinished, items in progress first. */
  readonly open: readonly OpenWork[];
  readonly inProgress: readonly OpenWork[];
  /** Everything that is over, oldest first: finished, answered or given up. */
  readonly closed: readonly OpenWork[];
  readonly next: NextStep;
  /** The last failure that blocks what the user wants now. */
  readonly blocked: readonly ErrorRecord[];
  /** The user's first, then those with a reason, the newest first. */
  readonly decisions: readonly Decision[];
  /** Those whose fix is known, the newest first: `editedFiles` says how. */
  readonly fixed: readonly ErrorRecord[];
  /** Those that failed in their last run, and that no later work went past, the newest first. */
  readonly errors: readonly ErrorRecord[];
}

const MAX_TASK = 300;
/** Of a request that is too long to be said whole. */
const TITLE = 120;

/** Computed only from what happened. A call without a result counts as returned, because clients compact and end between calls. */
export function findContinuation(happened: Happened): Continuation {
  const { state } = happened;
  const listed = listWork(state);
  const found = orderOpen([...listed.filter(isUnfinished), ...listRemaining(state, listed)]);
  const next = findNextStep(happened, found);
  // Without a list, open work is only a guess, so anything seen to be carried out closes it.
  const open =
    next.kind === "nothing" || next.kind === "ended" ? [] : found.length > 0 ? found : listImplied(state, next);
  const isOpen = new Set(open.map(({ id }) => id));
  const closed = listed
    .filter(({ id }) => !isOpen.has(id))
    .map((item) => (isUnfinished(item) ? { ...item, status: "done" as const } : item));
  const ran = new Set(state.commands.map(({ callId }) => callId));
  const inProgress = open.filter(({ status }) => status === "active");
  return {
    ...nameTask(state, inProgress),
    done: closed.filter((item) => item.status === "done" && isProved(item, state)),
    open,
    inProgress,
    closed,
    next,
    blocked: findBlocker(happened),
    decisions: [...state.decided.decisions].reverse().sort((left, right) => rankDecision(left) - rankDecision(right)),
    fixed: state.errors
      .filter((error) => isFixKnown(error) && ran.has(error.callId) && !/^git\b/.test(error.attempt))
      .reverse(),
    errors: listOpenErrors(happened),
  };
}

/** What the model named as left when it ended its turn. A list kept by the client is better evidence. */
function listRemaining({ turn, announced, work }: SessionState, listed: readonly OpenWork[]): readonly OpenWork[] {
  if (work.some(isUnfinished)) return [];
  // A step that was announced and not seen stays open, also after the turn went on.
  const kept = announced === undefined || announced.paths.length === 0 ? [] : [announced.text];
  const said = turn?.last === "said" ? readRemainder(turn.said) : kept;
  const known = new Set(listed.filter(isUnfinished).map(({ subject }) => subject));
  const request = said.length > 0 ? (turn?.saidRequest ?? 0) : (announced?.request ?? 0);
  return said
    .filter((subject) => !known.has(subject))
    .map((subject, at) => ({ ...asModel(subject, request), id: `said:${request}:${at}` }));
}

function asModel(subject: string, request: number): OpenWork {
  return {
    id: `said:${request}`,
    subject,
    status: "open",
    source: "model",
    evidence: `request:${request}`,
    changedRequest: request,
  };
}

function nameTask(state: SessionState, inProgress: readonly OpenWork[]): Pick<Continuation, "task" | "taskAge"> {
  const item = inProgress.find(({ source }) => source === "tasks");
  if (item !== undefined) return { task: item.subject, taskAge: 0 };
  const subject = findSubject(state);
  if (subject === undefined) return { task: "", taskAge: 0 };
  const isLong = subject.text.length > MAX_TASK;
  const task = (isLong && describeSubject(subject.text, TITLE)) || renderRequest(subject, MAX_TASK).slice(1, -1);
  return { task, taskAge: state.requests.count - subject.request };
}

/** If there is a next step, the task behind it is open. */
function listImplied(state: SessionState, { kind, action, evidence }: NextStep): readonly OpenWork[] {
  if (kind !== "failure" && kind !== "announced" && kind !== "task" && kind !== "prompt") return [];
  const subject = nameTask(state, []).task || action;
  const request = state.requests.count;
  return [{ ...asModel(subject, request), id: `next:${request}`, status: "active", source: "person", evidence }];
}

/** By the client's own list, or because something was done for it: a question that was answered is no work. */
function isProved({ source, id }: OpenWork, state: SessionState): boolean {
  if (source === "tasks") return true;
  const episode = state.episodes.find((each) => each.id === id);
  if (!episode || describeSubject(episode.firstAsked, MAX_TASK) === "" || isInquiry(episode.firstAsked)) return false;
  const asked = state.words.find(({ request }) => request === episode.startRequest);
  const isDone = episode.changedRequest > 0 || episode.committedRequest > 0;
  return isDone || (asked !== undefined && isCarriedOut(state, asked));
}

function rankDecision({ by, reason }: Decision): number {
  if (by === "person") return 0;
  return reason === "" ? 2 : 1;
}

const SOURCES: Readonly<Record<OpenWork["source"], string>> = {
  tasks: "task list",
  model: "the model said so",
  person: "the user asked",
};

/** For a user who asks what is open: the next step, and each item with its source. */
export function renderOpenWork(happened: Happened): string {
  const { next, open } = findContinuation(happened);
  return [
    `next: ${next.action}`,
    ...open.map(({ subject, status, source }) => `- ${status}: ${subject} (${SOURCES[source]})`),
  ].join("\n");
}
