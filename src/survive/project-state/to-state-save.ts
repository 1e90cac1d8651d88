import { clipLine } from "../../core/clip-text.ts";
import { listItems } from "../../session/current-items.ts";
import type { Episode } from "../../session/episode.ts";
import { isSubstantial } from "../../session/episode-rules.ts";
import { listOpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import { findStandingRequest, renderRequest } from "../../session/standing-request.ts";
import { findContinuation, type Happened, settleCalls } from "../record/continuation.ts";
import { findFailure } from "../record/find-failure.ts";
import { findConventions } from "./find-conventions.ts";
import { findInstincts, findLearnings } from "./find-lessons.ts";
import { findProjectNotes, findTaskNotes } from "./find-notes.ts";
import { findRequest } from "./find-request.ts";
import { isLasting, toLogged } from "./lasting-decisions.ts";
import { NOTHING_OPEN } from "./list-state-entries.ts";
import { listTouched } from "./list-touched.ts";
import type { StateSave } from "./plan-state-save.ts";
import { summariseSession } from "./summarise-session.ts";

const MAX_DECISIONS = 30;
/** The newest decisions are the ones that the rest of the work rests on. */
const MAX_RESTING = 5;
const MAX_FILES = 15;
const MAX_TASK = 300;
const MAX_TITLE = 80;
const MAX_ASKED = 120;

/** What is known beside what happened. */
export interface Leaving {
  /** Branch and commit; empty where there is no git. */
  readonly git: string;
  /** The session is over: the log has one line of each. */
  readonly isEnd: boolean;
}

/** What a session leaves, as the project's files keep it; saving it twice changes nothing. */
export function toStateSave(happened: Happened, { git, isEnd }: Leaving): StateSave {
  const { state } = happened;
  const decisions = state.decided.decisions.filter(isLasting).slice(-MAX_DECISIONS);
  const next = findNext(happened);
  return {
    decisions: decisions.map((decision) => toLogged(decision, quote(findRequest(state, decision.request)))),
    conventions: findConventions(state),
    instincts: findInstincts(state),
    learnings: findLearnings(state),
    notes: findProjectNotes(state),
    taskNotes: findTaskNotes(state),
    summary: isEnd ? summariseSession(happened) : "",
    progress: describeProgress(happened, next),
    checkpoint: describeCheckpoint(happened, { next, git }),
  };
}

function describeProgress(happened: Happened, next: string): NonNullable<StateSave["progress"]> {
  const { state } = happened;
  const open = listOpenWork(state);
  return {
    completed: [
      ...state.work.filter(({ status }) => status === "done").map(({ subject }) => subject),
      ...listCommitted(state).map(({ firstAsked }) => clipLine(firstAsked, MAX_ASKED)),
    ],
    inProgress: open.filter(({ status }) => status === "active").map(({ subject }) => clipLine(subject, MAX_TASK)),
    blocked: findBlockers(happened),
    nextSessionShould: next === "" ? [] : [next],
  };
}

/** What the person asked for, not in reply to anything, and what was changed for it is committed. */
function listCommitted({ episodes, words }: SessionState): readonly Episode[] {
  const replies = new Set(words.filter(({ answers }) => answers !== undefined).map(({ request }) => request));
  return episodes.filter(
    ({ status, firstAsked, startRequest, changedRequest, committedRequest }) =>
      status === "done" &&
      committedRequest > 0 &&
      committedRequest >= changedRequest &&
      isSubstantial(firstAsked) &&
      !replies.has(startRequest),
  );
}

function describeCheckpoint(
  happened: Happened,
  { next, git }: { readonly next: string; readonly git: string },
): NonNullable<StateSave["checkpoint"]> {
  const { state } = happened;
  const asked = findStandingRequest(state);
  const [item, ...items] = listItems(state);
  const request = asked ? renderRequest(asked, MAX_TASK).replace(/^"([^"]*)"$/, "$1") : "";
  const task = item?.status === "active" ? item.subject : request;
  const { paths, isMore } = listTouched(happened);
  const hidden = paths.length > MAX_FILES ? ` and ${paths.length - MAX_FILES} more` : "";
  const files = `${paths.slice(-MAX_FILES).join(", ")}${hidden}`;
  return {
    doing: task === "" ? "no task was named" : clipLine(task, MAX_TITLE),
    git,
    decisions: state.decided.decisions
      .filter(isLasting)
      .slice(-MAX_RESTING)
      .map(({ text }) => text),
    left: (item?.status === "active" ? items : item ? [item, ...items] : []).map(({ subject }) => subject),
    context: [
      `Phase: ${state.phase.phase}`,
      `Asked: ${request === "" ? "nothing yet" : request}`,
      `Files touched: ${files || "none seen"}${isMore ? "; agents that were sent may have changed more" : ""}`,
    ].join("\n"),
    resume: next === "" ? NOTHING_OPEN : next,
  };
}

/** Why it came up: what the person had asked for then. */
function quote(asked: string): string {
  return asked === "" ? "" : `asked: "${clipLine(asked, MAX_ASKED)}"`;
}

/** What another session can take up: what is done is done. */
function findNext(happened: Happened): string {
  const { kind, action } = findContinuation(settleCalls(happened));
  return kind === "nothing" || kind === "unknown" ? "" : action;
}

const MAX_COMMAND = 80;
const MAX_LINE = 160;

/** What stands in the way of what the person wants now: the last failure that nothing has resolved or gone around. A change that was refused is made anew. */
export function findBlockers(happened: Happened): readonly string[] {
  const evidence = findFailure(happened)?.evidence;
  const error = happened.state.errors.findLast(({ callId }) => `call:${callId}` === evidence);
  return error && !/^(?:edit|write) /.test(error.attempt)
    ? [`\`${clipLine(error.attempt, MAX_COMMAND)}\`: ${clipLine(error.line, MAX_LINE)}`]
    : [];
}
