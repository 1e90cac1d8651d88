import { clipLine } from "../../core/clip-text.ts";
import { listOpenWork, listWork } from "../../session/open-work.ts";
import { findContinuation, type Happened, settleCalls } from "../record/continuation.ts";
import { findBlockers } from "./find-blockers.ts";
import { findConventions } from "./find-conventions.ts";
import { findInstincts, findLearnings } from "./find-lessons.ts";
import { findProjectNotes, findTaskNotes } from "./find-notes.ts";
import { findRequest } from "./find-request.ts";
import { isLasting, toLogged } from "./lasting-decisions.ts";
import { NOTHING_OPEN } from "./list-state-entries.ts";
import type { StateSave } from "./plan-state-save.ts";
import { summariseSession } from "./summarise-session.ts";

const MAX_DECISIONS = 30;
const MAX_FILES = 40;
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
    summary: isEnd ? summariseSession(state) : "",
    progress: describeProgress(happened, next),
    checkpoint: describeCheckpoint(happened, { next, git }),
  };
}

function describeProgress(happened: Happened, next: string): NonNullable<StateSave["progress"]> {
  const work = listWork(happened.state);
  const subjects = (status: string): readonly string[] =>
    work.filter((item) => item.status === status).map(({ subject }) => subject);
  return {
    completed: subjects("done"),
    inProgress: subjects("active"),
    blocked: findBlockers(happened.state),
    nextSessionShould: next === "" ? [] : [next],
  };
}

function describeCheckpoint(
  { state }: Happened,
  { next, git }: { readonly next: string; readonly git: string },
): NonNullable<StateSave["checkpoint"]> {
  const open = listOpenWork(state);
  const listed = state.work.find(({ status }) => status === "active")?.subject;
  const task = listed ?? (findRequest(state) || (open[0]?.subject ?? ""));
  const touched = state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated).map(({ path }) => path);
  return {
    doing: task === "" ? "no task was named" : clipLine(task, MAX_TITLE),
    git,
    decisions: state.decided.decisions
      .filter(isLasting)
      .slice(-MAX_DECISIONS)
      .map(({ text }) => text),
    left: open.filter(({ status }) => status === "open").map(({ subject }) => subject),
    context: [
      `Phase: ${state.phase.phase}`,
      `Task: ${task}`,
      `Files touched: ${touched.slice(-MAX_FILES).join(", ") || "none"}`,
    ].join("\n"),
    resume: next === "" ? NOTHING_OPEN : next,
  };
}

/** Why it came up: what the person had asked for then. */
function quote(asked: string): string {
  return asked === "" ? "" : `asked: "${clipLine(asked, MAX_ASKED)}"`;
}

/** What another session can take up: what is done is done, and a question is the person's to answer. */
function findNext(happened: Happened): string {
  const { kind, action } = findContinuation(settleCalls(happened));
  return kind === "nothing" || kind === "unknown" || kind === "question" ? "" : action;
}
