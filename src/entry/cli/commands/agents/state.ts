import { clipLine } from "../../../../core/clip-text.ts";
import { renderCount } from "../../../../core/render-count.ts";
import { findColdFiles, removeColdFiles } from "../../../../files/cold-files.ts";
import { locateHome } from "../../../../hosts/catalogue.ts";
import type { ReadHappened } from "../../../../recorded/follow-happened.ts";
import { findPhase } from "../../../../session/phase.ts";
import {
  listColdTasks,
  planClearSummaries,
  planExpireSummaries,
  planResetState,
  selectColdFiles,
} from "../../../../survive/cold-tasks/plan-cold-maintenance.ts";
import { findContinuation } from "../../../../survive/record/continuation.ts";
import { renderGuesses, renderWork, type WorkList } from "../../../../survive/record/render-work.ts";
import { createShortener } from "../../../../survive/record/summary.ts";
import { type Command, type CommandAnswer, defineCommand, type Invocation, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely } from "../../print/style.ts";
import { chooseTranscript, readHappened, SESSION_OPTIONS } from "../../require-session.ts";

const SHOWN = 10;

export const stateCommand: Command = defineCommand({
  name: "state",
  summary: "Shows what is known about a session: tasks, files, decisions, errors and what you said",
  options: {
    ...SESSION_OPTIONS,
    why: { help: "say for each line what it rests on" },
    perhaps: {
      help: "show guesses, too: the phase, what may be decided, what was tried and failed, what presses, errors never fixed",
    },
    cold: {
      value: "WHAT",
      choices: ["list", "expire", "clear", "reset"],
      help: "manage the saved summaries of finished tasks: list shows them, expire removes those older than 14 days, clear removes all of them, and reset forgets when each session was last checked for finished tasks; --session limits the action to one session",
    },
  },
  examples: {
    "plimsoll state": `shows the next action, and the newest ${SHOWN} tasks, files, decisions and errors`,
    "plimsoll state --why":
      "says for each line whether it rests on the task list, on words, on calls or on exit statuses",
    "plimsoll state --perhaps": "adds what is only guessed, and therefore shown nowhere else",
    "plimsoll state --transcript session.jsonl --json": "prints everything as JSON",
    "plimsoll state --cold list": "lists saved summaries of finished tasks, newest first",
    "plimsoll state --cold list --session 1": "lists only the summaries of your newest session",
  },
  run(invocation, terminal) {
    const what = invocation.values.get("cold");
    if (what !== undefined) return maintainColdTasks(what, invocation, terminal);
    const file = chooseTranscript(invocation, terminal);
    const happened = readHappened(file);
    return { json: describeState(file, happened), text: () => renderState(happened, invocation, terminal) };
  },
});

function describeState(file: string, happened: ReadHappened) {
  const continuation = findContinuation(happened);
  const { state, sessionId, cwd } = happened;
  return {
    transcript: file,
    sessionId,
    directory: cwd,
    requests: state.requests.count,
    compactions: state.compactions,
    phase: findPhase(state.phase) ?? null,
    continuation: continuation.next,
    work: [...continuation.closed, ...continuation.open],
    done: continuation.done.length,
    files: state.files,
    commands: state.commands,
    errors: state.errors,
    decisions: state.decided.decisions,
    perhaps: {
      phase: state.phase.phase,
      decisions: state.decided.perhaps ?? [],
      failedApproaches: state.decided.failedApproaches,
    },
    words: state.words,
  };
}

function renderState(happened: ReadHappened, { flags }: Invocation, terminal: Terminal): string {
  const { state, cwd } = happened;
  const continuation = findContinuation(happened);
  const shorten = createShortener(cwd);
  const reader = { root: cwd, isWhy: flags.has("why") };
  const list = ({ title, lines }: WorkList): readonly string[] => {
    if (lines.length === 0) return [];
    const more = lines.length > SHOWN ? [`  … ${lines.length - SHOWN} more: --json lists all`] : [];
    const shown = lines.slice(0, SHOWN).map((line) => `  ${renderSafely(line)}`);
    return ["", paint(terminal, "bold", `${title} (${lines.length})`), ...shown, ...more];
  };
  return joinLines(
    `${paint(terminal, "bold", renderCount(state.requests.count, "request"))} · ${renderCount(state.compactions, "compaction")}`,
    `next: ${renderSafely(shorten(continuation.next.action))}`,
    ...renderWork(happened, continuation, reader).map(list),
    ...(flags.has("perhaps") ? renderGuesses(happened, continuation, reader).map(list) : []),
    list({ title: "What you said", lines: state.words.map(renderWords).map(shorten).reverse() }),
  );
}

function renderWords({ text, constraints, isCorrection, request }: ReadHappened["state"]["words"][number]): string {
  const marks = [constraints.length > 0 && "binding", isCorrection && "correction"];
  const shown = marks.filter((mark) => mark !== false).join(", ");
  return `after request ${request}${shown === "" ? "" : ` [${shown}]`}: ${clipLine(text, 160)}`;
}

/** Lists or deletes the files of cold tasks. */
function maintainColdTasks(what: string, invocation: Invocation, terminal: Terminal): CommandAnswer {
  const all = findColdFiles(locateHome(terminal.environment), terminal.environment.HOME);
  const isOfOne = invocation.values.has("session") || invocation.values.has("transcript");
  const files = isOfOne ? selectColdFiles(all, readHappened(chooseTranscript(invocation, terminal)).sessionId) : all;
  if (what === "list") {
    const listed = listColdTasks(files);
    const lines = listed.map(({ path, summary }) =>
      summary === undefined
        ? `${renderSafely(path)}: is not a readable summary`
        : `${renderSafely(summary.compressed_at.slice(0, 16))}  ${renderSafely(clipLine(summary.subject, 100))} (session ${renderSafely(summary.session_id)}, ${renderSafely(path)})`,
    );
    const none = `No summaries of finished tasks are saved${isOfOne ? " for this session" : ""}.`;
    const summaries = listed.map(({ path, bytes, summary = null }) => ({ path, bytes, summary }));
    return { json: { summaries }, text: () => lines.join("\n") || none };
  }
  const plan = { reset: planResetState, clear: planClearSummaries, expire: planExpireSummaries }[what];
  const gone = plan?.(files, terminal.nowMs()) ?? [];
  removeColdFiles(gone);
  return { json: { removed: gone }, text: () => `${renderCount(gone.length, "file")} removed.` };
}
