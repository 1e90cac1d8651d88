import { clipLine } from "../../core/clip-text.ts";
import { listOpenWork, listWork } from "../../session/open-work.ts";
import { findContinuation, type Happened } from "../record/continuation.ts";
import type { Handover } from "../record/handover.ts";
import { NOTHING_OPEN } from "./list-state-entries.ts";
import type { StateSave } from "./plan-state-save.ts";

const MAX_DECISIONS = 30;
const MAX_FILES = 40;
const MAX_TITLE = 80;

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
      blocked: [],
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

/** What another session can take up: a call that was cut off never comes back, and what is done is done. */
function findNext(happened: Happened): string {
  const { kind, action } = findContinuation(happened);
  if (kind === "nothing" || kind === "unknown" || kind === "question") return "";
  return kind === "waiting"
    ? action.replace(
        /^take up the result of (.*), which had not come back$/,
        "$1 was cut off before its result came back",
      )
    : action;
}
