import { clipLine } from "../../core/clip-text.ts";
import { listOpenWork, listWork } from "../../session/open-work.ts";
import { findContinuation, type Happened, settleCalls } from "../record/continuation.ts";
import type { Handover } from "../record/handover.ts";
import { NOTHING_OPEN } from "./list-state-entries.ts";
import type { StateSave } from "./plan-state-save.ts";

const MAX_DECISIONS = 30;
const MAX_FILES = 40;
const MAX_TITLE = 80;
const MAX_BLOCKERS = 3;
const MAX_BLOCKER_LINE = 160;

/** What the next window must know, from what happened: task, phase, files, decisions, what is left. */
function collectHandover({ state }: Happened): Handover {
  const open = listOpenWork(state);
  return {
    current: { task: open[0]?.subject ?? state.words.at(-1)?.text ?? "", phase: state.phase.phase },
    filesTouched: state.files.filter(({ edits, isCreated }) => edits > 0 || isCreated).map((file) => file.path),
    decisions: state.decided.decisions.map(({ text }) => text),
    remainingTasks: open.filter(({ status }) => status === "open").map(({ subject }) => subject),
  };
}

/** The handover as the project's files keep it; saving it twice changes nothing. */
export function toStateSave(happened: Happened, handover: Handover = collectHandover(happened)): StateSave {
  const { state } = happened;
  const { current, filesTouched, decisions, remainingTasks } = handover;
  const work = listWork(state);
  const next = findNext(happened);
  const subjects = (status: string): readonly string[] =>
    work.filter((item) => item.status === status).map(({ subject }) => subject);
  return {
    decisions: state.decided.decisions.slice(-MAX_DECISIONS).map(({ text, reason, files }) => ({
      title: clipLine(text, MAX_TITLE),
      context: `phase ${current.phase}`,
      decision: text,
      rationale: reason,
      impact: files.join(", "),
    })),
    progress: {
      completed: subjects("done"),
      inProgress: subjects("active"),
      blocked: listBlockers(happened),
      nextSessionShould: next === "" ? [] : [next],
    },
    checkpoint: {
      doing: current.task === "" ? "no task was named" : clipLine(current.task, MAX_TITLE),
      git: "",
      decisions: decisions.slice(-MAX_DECISIONS),
      left: remainingTasks,
      context: [
        `Phase: ${current.phase}`,
        `Task: ${current.task}`,
        `Files touched: ${filesTouched.slice(-MAX_FILES).join(", ") || "none"}`,
      ].join("\n"),
      resume: next === "" ? NOTHING_OPEN : next,
    },
  };
}

/** Commands that failed last and were not seen to work since; a file tool that was used wrongly blocks nobody. */
function listBlockers({ state }: Happened): readonly string[] {
  const ran = new Set(state.commands.map(({ callId }) => callId));
  return state.errors
    .filter(({ resolvedBy, callId }) => resolvedBy === "" && ran.has(callId))
    .slice(-MAX_BLOCKERS)
    .map(({ attempt, line }) => `\`${clipLine(attempt, MAX_TITLE)}\`: ${clipLine(line, MAX_BLOCKER_LINE)}`);
}

/** What another session can take up: what is done is done, and a question is the person's to answer. */
function findNext(happened: Happened): string {
  const { kind, action } = findContinuation(settleCalls(happened));
  return kind === "nothing" || kind === "unknown" || kind === "question" ? "" : action;
}
