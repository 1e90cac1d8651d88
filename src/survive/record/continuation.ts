import { isUnfinished } from "../../session/action.ts";
import { readRemainder } from "../../session/closing.ts";
import { isSubstantial } from "../../session/episodes/episode-rules.ts";
import { listWork, type OpenWork, orderOpen } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import { findStandingRequest, isCarriedOut, isMereReply, renderRequest } from "../../session/standing-request.ts";
import type { Decision } from "../../session/track-decisions.ts";
import { type ErrorRecord, isFixKnown } from "../../session/track-errors.ts";
import { findRequest } from "../project-state/summarise-session.ts";
import { findBlocker, listOpenErrors } from "./find-failure.ts";
import type { Happened, NextStep } from "./happened.ts";
import { findNextStep } from "./next-step.ts";

export type { Happened, NextStep } from "./happened.ts";

/** The state of the work at one moment. Record, summary, checkpoint, packet and report are all rendered from it, so they cannot contradict each other. */
export interface Continuation {
  /** The item in progress, otherwise the user's last task; empty if none was named. */
  readonly task: string;
  /** Finished by the client's own list, or committed. */
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
  /** Those that nothing has settled yet, the newest first. */
  readonly errors: readonly ErrorRecord[];
}

const MAX_TASK = 300;

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
  const inProgress = open.filter(({ status }) => status === "active");
  return {
    task: inProgress.find(({ source }) => source === "tasks")?.subject ?? findTask(state),
    done: closed.filter((item) => item.status === "done" && isProved(item, state)),
    open,
    inProgress,
    closed,
    next,
    blocked: findBlocker(happened),
    decisions: [...state.decided.decisions].reverse().sort((left, right) => rankDecision(left) - rankDecision(right)),
    fixed: state.errors.filter(isFixKnown).reverse(),
    errors: listOpenErrors(happened),
  };
}

/** What the model named as left when it ended its turn. A list kept by the client is better evidence. */
function listRemaining({ turn, announced, work }: SessionState, listed: readonly OpenWork[]): readonly OpenWork[] {
  if (work.some(isUnfinished)) return [];
  const said = turn?.last === "said" ? readRemainder(turn.said) : [];
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

/** If there is a next step, the task behind it is open. */
function listImplied(state: SessionState, { kind, action, evidence }: NextStep): readonly OpenWork[] {
  if (kind !== "failure" && kind !== "announced" && kind !== "task" && kind !== "prompt") return [];
  const subject = findTask(state) || action;
  const request = state.requests.count;
  return [{ ...asModel(subject, request), id: `next:${request}`, status: "active", source: "person", evidence }];
}

/** The user's newest words that name a task. A remark on style or a bare "yes" names none. */
function findTask(state: SessionState): string {
  const asked = findStandingRequest(state);
  const isTask = asked && (isSubstantial(asked.text) || (asked.answers ?? "") !== "");
  const named = isTask ? "" : findRequest(state);
  if (named !== "") return named;
  if (!asked) return "";
  const quoted = renderRequest(asked, MAX_TASK);
  return isMereReply(asked.text) && asked.answers ? quoted : quoted.slice(1, -1);
}

/** By the client's own list, by a commit, or because only final steps were asked for and they worked. */
function isProved({ source, id }: OpenWork, state: SessionState): boolean {
  if (source === "tasks") return true;
  const episode = state.episodes.find((each) => each.id === id);
  if (!episode || !isSubstantial(episode.firstAsked)) return false;
  const replied = state.words.find(({ request }) => request === episode.startRequest);
  if (replied?.answers !== undefined && replied.answers !== "") return false;
  const { committedRequest, changedRequest } = episode;
  return (
    (committedRequest > 0 && committedRequest >= changedRequest) || (replied ? isCarriedOut(state, replied) : false)
  );
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
