import { clipLine } from "../../core/clip-text.ts";
import { findStandingRequest, renderRequest } from "../../session/standing-request.ts";
import type { Decision } from "../../session/track-decisions.ts";
import { type Continuation, findContinuation, type Happened, type NextStep } from "../record/continuation.ts";
import type { LoggedDecision } from "./entry-kinds.ts";
import { findConventions, findInstincts, findLearnings } from "./find-lessons.ts";
import { findProjectNotes, findTaskNotes } from "./find-notes.ts";
import { NO_OPEN_TASK } from "./list-state-entries.ts";
import type { StateSave } from "./plan-state-save.ts";
import { findRequest, listTouched, summariseSession } from "./summarise-session.ts";

const MAX_DECISIONS = 30;
/** The newest decisions are the ones that the rest of the work rests on. */
const MAX_RESTING = 5;
const MAX_FILES = 15;
const MAX_TASK = 300;
const MAX_TITLE = 80;
const MAX_ASKED = 120;
const MAX_COMMAND = 80;
const MAX_LINE = 160;

/** What is known beside what happened. */
export interface SaveFacts {
  /** Branch and commit; empty where there is no git. */
  readonly git: string;
  /** The session is over: the log has one line of each. */
  readonly isEnd: boolean;
}

/** What a session leaves, as the project's files keep it; saving it twice changes nothing. */
export function toStateSave(happened: Happened, { git, isEnd }: SaveFacts): StateSave {
  const { state } = happened;
  const decisions = state.decided.decisions.filter(isLasting).slice(-MAX_DECISIONS);
  const continuation = findContinuation(happened);
  return {
    decisions: decisions.map((decision) => toLogged(decision, quote(findRequest(state, decision.request)))),
    conventions: findConventions(state),
    instincts: findInstincts(state),
    learnings: findLearnings(state),
    notes: findProjectNotes(state),
    taskNotes: findTaskNotes(state, continuation),
    summary: isEnd ? summariseSession(happened) : "",
    progress: describeProgress(continuation),
    checkpoint: describeCheckpoint(happened, continuation, git),
  };
}

function describeProgress({ done, inProgress, blocked, next }: Continuation): NonNullable<StateSave["progress"]> {
  return {
    completed: done.map(({ subject, source }) => (source === "tasks" ? subject : clipLine(subject, MAX_ASKED))),
    inProgress: inProgress.map(({ subject }) => clipLine(subject, MAX_TASK)),
    blocked: blocked.map(({ attempt, line }) => `\`${clipLine(attempt, MAX_COMMAND)}\`: ${clipLine(line, MAX_LINE)}`),
    nextSessionShould: canBeTakenUp(next) ? [next.action] : [],
  };
}

function describeCheckpoint(
  happened: Happened,
  { task, open, inProgress, decisions, next }: Continuation,
  git: string,
): NonNullable<StateSave["checkpoint"]> {
  const { state } = happened;
  const [current] = inProgress;
  const asked = findStandingRequest(state);
  const request = asked ? renderRequest(asked, MAX_TASK).replace(/^"([^"]*)"$/, "$1") : "";
  const { paths, isMore } = listTouched(happened);
  const hidden = paths.length > MAX_FILES ? ` and ${paths.length - MAX_FILES} more` : "";
  const files = `${paths.slice(-MAX_FILES).join(", ")}${hidden}`;
  return {
    doing: task === "" ? "no task was named" : clipLine(task, MAX_TITLE),
    git,
    decisions: decisions
      .filter(isLasting)
      .slice(0, MAX_RESTING)
      .map(({ text }) => text),
    left: open.filter((item) => item !== current).map(({ subject }) => subject),
    context: [
      `Phase: ${state.phase.phase}`,
      `Asked: ${request === "" ? "nothing yet" : request}`,
      `Files touched: ${files || "none seen"}${isMore ? "; agents that were sent may have changed more" : ""}`,
    ].join("\n"),
    resume: canBeTakenUp(next) ? next.action : NO_OPEN_TASK,
  };
}

/** Why it came up: what the person had asked for then. */
function quote(asked: string): string {
  return asked === "" ? "" : `asked: "${clipLine(asked, MAX_ASKED)}"`;
}

/** Whether another session can do it: what is done is done. */
function canBeTakenUp({ kind }: NextStep): boolean {
  return kind !== "nothing" && kind !== "ended" && kind !== "unknown";
}

/** A step that carries out what was decided before, and an opinion that nobody acted on. */
const STEP =
  /^\W{0,4}(?:now,? )?(?:since [^,]{3,120}, )?(?:now )?(?:I|we) (?:(?:also |now |just )?(?:need|have) to|should (?:clarify|probably))\b|^\W{0,4}(?:now )?let me\b/i;
/** A line of a list or a remark in which nobody decides: "**Always latest**: ...", "Note: this is acceptable ...". */
const REMARK = /^\W{0,4}(?:note:|must\b|\w[^:*]{0,40}\*{2}:)(?!.*\b(?:I|we)(?:'ve)? \w)/i;
/** What ends with a colon or a quotation mark leads over to a call, or was said of somebody else's text. */
const LEADS_OVER = /[:"”]$/;
/** Leave to go on decides nothing about the work. */
const LEAVE =
  /\b(?:should I (?:proceed|continue|start|go ahead)|shall I|would you like me to|do you want me to|ready to)\b[^→]*→/i;

/** Whether it still says something when the session is over: the person's choices, and the model's own that are no mere steps. */
function isLasting({ text, by }: Decision): boolean {
  return by === "person" ? !LEAVE.test(text) : ![STEP, REMARK, LEADS_OVER].some((sign) => sign.test(text));
}

/** As the log of decisions has it; a reason that is the whole sentence is no reason told apart. */
function toLogged({ text, reason, files }: Decision, context: string): LoggedDecision {
  return {
    title: clipLine(text, MAX_TITLE),
    context,
    decision: text,
    rationale: reason === text ? "" : reason,
    impact: files.join(", "),
  };
}
