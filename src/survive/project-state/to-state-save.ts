import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { groupBy } from "../../core/group-by.ts";
import { isUnfinished } from "../../session/action.ts";
import { isProbe, nameAttempt } from "../../session/failed-approaches.ts";
import { findPhase } from "../../session/phase.ts";
import { findPaths } from "../../session/sentences.ts";
import type { SessionState } from "../../session/session.ts";
import { findStandingRequest, renderRequest } from "../../session/standing-request.ts";
import { isCheckCommand, isTestCommand } from "../../session/test-command.ts";
import type { CommandRecord } from "../../session/track-commands.ts";
import type { Decision } from "../../session/track-decisions.ts";
import { type Continuation, findContinuation, type Happened, type NextStep } from "../record/continuation.ts";
import { type EntryDraft, renderBullets } from "./entry-log.ts";
import type { Learning } from "./learnings.ts";
import { NO_OPEN_TASK } from "./list-state-entries.ts";
import type { StateSave } from "./plan-state-save.ts";
import type { Note } from "./section-notes.ts";
import { findRequest, listTouched, summariseSession } from "./summarise-session.ts";

const MAX_DECISIONS = 30;
/** The rest of the work depends on the newest decisions. */
const MAX_RESTING = 5;
const MAX_FILES = 15;
const MAX_TASK = 300;
const MAX_TITLE = 80;
const MAX_ASKED = 120;
const MAX_COMMAND = 80;
const MAX_LINE = 160;

interface SaveFacts {
  /** Branch and commit; empty if there is no git. */
  readonly git: string;
  /** The session is over: the log gets one line per session. */
  readonly isEnd: boolean;
}

/** What a session leaves in the project's files. Saving it twice changes nothing. */
export function toStateSave(happened: Happened, { git, isEnd }: SaveFacts): StateSave {
  const { state } = happened;
  const decisions = state.decided.decisions.filter(isLasting).slice(-MAX_DECISIONS);
  const continuation = findContinuation(happened);
  return {
    "checkpoint.md": describeCheckpoint(happened, continuation, git),
    "conventions.md": findConventions(state),
    "cumulative-notes.md": findProjectNotes(state),
    "decisions.md": decisions.map((decision) => toLogged(decision, quote(findRequest(state, decision.request)))),
    "instincts.md": findInstincts(state),
    "learnings.jsonl": findLearnings(state),
    "progress.md": [describeProgress(continuation)],
    "session-log.md": isEnd ? summariseSession(happened) : "",
    "task-notes.md": findTaskNotes(state, continuation),
  };
}

function describeProgress({ done, inProgress, blocked, next }: Continuation): EntryDraft {
  const completed = done.map(({ subject, source }) => (source === "tasks" ? subject : clipLine(subject, MAX_ASKED)));
  const begun = inProgress.map(({ subject }) => clipLine(subject, MAX_TASK));
  const stuck = blocked.map(
    ({ attempt, line }) => `\`${clipLine(attempt, MAX_COMMAND)}\`: ${clipLine(line, MAX_LINE)}`,
  );
  // An empty list stays visible, or it would look forgotten. It only means that nothing was written down.
  const list = (items: readonly string[], mark: string): string => renderBullets(items, mark) || "none recorded";
  return {
    title: "",
    fields: {
      Completed: list(completed, "- [x] "),
      "In Progress": list(begun, "- [ ] "),
      Blocked: list(stuck, "- [ ] "),
      "Next Session Should": list(canBeTakenUp(next) ? [next.action] : [], "- "),
    },
  };
}

function describeCheckpoint(
  happened: Happened,
  { task, open, inProgress, decisions, next }: Continuation,
  git: string,
): EntryDraft {
  const { state } = happened;
  const [current] = inProgress;
  const asked = findStandingRequest(state);
  const request = asked ? renderRequest(asked, MAX_TASK).replace(/^"([^"]*)"$/, "$1") : "";
  const { paths, isMore } = listTouched(happened);
  const hidden = paths.length > MAX_FILES ? ` and ${paths.length - MAX_FILES} more` : "";
  const files = `${paths.slice(-MAX_FILES).join(", ")}${hidden}`;
  const resting = decisions.filter(isLasting).slice(0, MAX_RESTING);
  const left = open.filter((item) => item !== current);
  return {
    title: task === "" ? "no task was named" : clipLine(task, MAX_TITLE),
    fields: {
      Git: git,
      Decisions: renderBullets(resting.map(({ text }) => text)),
      Left: renderBullets(left.map(({ subject }) => subject)),
      Context: [
        `Phase: ${findPhase(state.phase) ?? "not known"}`,
        `Asked: ${request === "" ? "nothing yet" : request}`,
        `Files touched: ${files || "none seen"}${isMore ? "; subagents may have changed more files" : ""}`,
      ].join("\n"),
      Resume: canBeTakenUp(next) ? next.action : NO_OPEN_TASK,
    },
  };
}

/** Why the decision came up: what the user had asked for then. */
function quote(asked: string): string {
  return asked === "" ? "" : `asked: "${clipLine(asked, MAX_ASKED)}"`;
}

/** Whether another session can do this step; a finished one cannot be taken up. */
function canBeTakenUp({ kind }: NextStep): boolean {
  return kind !== "nothing" && kind !== "ended" && kind !== "unknown";
}

/** A step that carries out an earlier decision, or an opinion without consequences. */
const STEP =
  /^\W{0,4}(?:now,? )?(?:since [^,]{3,120}, )?(?:now )?(?:I|we) (?:(?:also |now |just )?(?:need|have) to|should (?:clarify|probably))\b|^\W{0,4}(?:now )?let me\b/i;
/** A list item or remark that decides nothing: "**Always latest**: ...", "Note: this is acceptable ...". */
const REMARK = /^\W{0,4}(?:note:|must\b|\w[^:*]{0,40}\*{2}:)(?!.*\b(?:I|we)(?:'ve)? \w)/i;
/** A text that ends with a colon or a quotation mark leads over to a call, or is about someone else's text. */
const LEADS_OVER = /[:"”]$/;
/** Permission to go on decides nothing about the work. */
const LEAVE =
  /\b(?:should I (?:proceed|continue|start|go ahead)|shall I|would you like me to|do you want me to|ready to)\b[^→]*→/i;

/** Whether a decision matters after the session: the user's choices, and the model's own unless they are mere steps. */
function isLasting({ text, by }: Decision): boolean {
  return by === "person" ? !LEAVE.test(text) : ![STEP, REMARK, LEADS_OVER].some((sign) => sign.test(text));
}

/** The log entry of a decision. A reason that is the whole sentence does not count as a separate reason. */
function toLogged({ text, reason, files }: Decision, context: string): EntryDraft {
  const rationale = reason === text ? "" : reason;
  const fields = { Context: context, Decision: text, Rationale: rationale, Impact: files.join(", ") };
  return { title: clipLine(text, MAX_TITLE), fields };
}

const MAX_LESSONS = 10;
/** With more changes than this, it is unknown which one fixed it. */
const MAX_FIXING_FILES = 3;
const MAX_LESSON = 200;
/** One sighting is little more than chance; every further failure of the same kind makes it more certain. */
const FIRST_CONFIDENCE = 0.4;
const FURTHER_CONFIDENCE = 0.1;
/** A line that only says that something failed, or shows the code around it, teaches nothing. */
const UNINFORMATIVE =
  /^.{0,14}$|\b(?:task failed|exit(?:ed)?(?: with)?(?: status| code)? -?\d+|ELIFECYCLE|Command failed|\d+ (?:failed|errors?)|context deadline|due to \d+ previous errors?)\b|^\W*(?:FAIL(?:ED)?|ERROR)\b[^:]{0,80}$|\.png$|^(?:ok|Summary)\b|\(pass\)|^\s*\d+\s?\|/i;
/** What a shell or program says about a wrong call. The remedy is another call, whatever the code looks like. */
const MISUSE =
  /command not found|no such file or directory|cannot find module|could not locate|not found|unknown (?:option|flag|command|argument)|unrecogni[sz]ed|invalid (?:option|argument|flag)|is not recognized|not a git repository|permission denied|already (?:checked out|in use)|no matches found|unsupported|missing (?:script|argument)|usage:|unexpected argument|ENOENT/i;
/** A shell's current folder says nothing about how a project is worked on. */
const ABOUT_FOLDER = /\bcd:/;

/** A wrong call that worked in another form, with nothing changed in between. */
export function findInstincts(state: SessionState): readonly EntryDraft[] {
  const commands = new Map(state.commands.map((record) => [record.callId, record.command]));
  return state.errors
    .filter(({ line, editedFiles }) => editedFiles.length === 0 && MISUSE.test(line) && !ABOUT_FOLDER.test(line))
    .flatMap(({ attempt, line, times, callId, resolvedBy }) => {
      const remedy = toUsualCommand(commands.get(resolvedBy) ?? "");
      if (remedy === "" || remedy === attempt || toUsualCommand(attempt) === "") return [];
      const fields = {
        Trigger: `\`${attempt}\` fails: ${clipLine(line, MAX_LESSON)}`,
        Action: `\`${remedy}\` worked`,
        Confidence: String(FIRST_CONFIDENCE + FURTHER_CONFIDENCE * (times - 1)),
        Evidence: `call:${callId}, then call:${resolvedBy}`,
      };
      return [{ title: attempt, fields }];
    })
    .slice(-MAX_LESSONS);
}

/** Which test or check failed with what, and which files were changed before it passed. */
export function findLearnings(state: SessionState): readonly Learning[] {
  const commands = new Map(state.commands.map((record) => [record.callId, record.command]));
  const learnings = state.errors.flatMap(({ attempt, line, editedFiles, times, resolvedBy }) => {
    const files = editedFiles.filter((file) => !/\/\.claude\//.test(file));
    const isInformative = !UNINFORMATIVE.test(line) && !MISUSE.test(line);
    const isSame =
      toUsualCommand(commands.get(resolvedBy) ?? "") === attempt && (isTestCommand(attempt) || isCheckCommand(attempt));
    if (files.length === 0 || editedFiles.length > MAX_FIXING_FILES || !isInformative || !isSame) return [];
    const often = times > 1 ? ` ${times} times` : "";
    const insight = `failed${often} with "${clipLine(line, MAX_LESSON)}"; passed after changes to ${files.join(", ")}`;
    return [{ key: attempt, type: "error", insight: toOneLine(insight), confidence: FIRST_CONFIDENCE, files }];
  });
  return learnings.slice(-MAX_LESSONS);
}

const MAX_CONVENTIONS = 10;
const MAX_PATTERN = 300;
/** A standing order: "always" or "never" where an order begins, followed by the verb ("never uses" describes, it orders nothing). */
const ORDERS =
  /(?:^|[,;:.—-]\s{1,3})(?:(?:and|but|so|also|please|then|you (?:should|must)|we (?:should|must)?|make sure (?:to|you|we)|if not,?|ok(?:ay)?,?)\s{1,3}){0,3}(?:always|never)\s(?!(?:in|on|at|the|a|an|be|been|had|seems?|the|to|for|of)\b)(?!\w{1,30}(?:ing|ed|s)\b)[a-z]{2,}/i;
const HENCEFORTH =
  /\b(?:from now on|going forward)\b|^(?:please |also )?remember to\b|\bin this (?:project|repo(?:sitory)?|codebase),? (?:we|you|always|never|use|do not|don['’]?t)\b/i;
/** Wishes, guesses and texts for a program's own users are not rules for the work. */
const SUPPOSES =
  /\?\s*$|\b(?:might|maybe|perhaps|would be|wondering|i think|could|if (?:some|a) (?:task|user)|note (?:this|that|in)|the user)\b/i;

/** What the user laid down for all further work, word for word. What was said for one occasion does not count. */
export function findConventions({ words }: SessionState): readonly EntryDraft[] {
  const sentences = words.flatMap(({ constraints }) => constraints).filter(isConvention);
  return [...new Set(sentences)].slice(-MAX_CONVENTIONS).map((sentence) => {
    const place = findPaths(sentence).join(", ");
    const fields = { Pattern: clipLine(sentence, MAX_PATTERN), Example: "", "Applies to": place };
    return { title: clipLine(sentence, MAX_TITLE), fields };
  });
}

export function isConvention(sentence: string): boolean {
  if (sentence.length < 15 || sentence.length > MAX_PATTERN || SUPPOSES.test(sentence)) return false;
  return ORDERS.test(sentence) || HENCEFORTH.test(sentence);
}

const MAX_SUBJECT = 160;
const MAX_COMMANDS = 3;
const MAX_FAILED = 5;
/** A command run once may have been a try; from here on it is the usual one. */
const USUAL_RUNS = 2;

/** What holds for the project beyond this session: how its tests and checks are run, as seen to pass. */
export function findProjectNotes({ commands }: SessionState): readonly Note[] {
  const passed = commands.filter(({ tests, exitCode, isFailed }) =>
    tests === undefined ? exitCode === 0 && !isFailed : tests.verdict === "passed",
  );
  const usual = listUsual(passed).filter(isOfProject);
  return [
    ...usual.filter(isTestCommand).map((command) => `tests run with \`${command}\``),
    ...usual.filter(isCheckCommand).map((command) => `checked with \`${command}\``),
  ]
    .slice(0, MAX_COMMANDS)
    .map((text) => ({ section: "Project Profile", text }));
}

function listUsual(records: readonly CommandRecord[]): readonly string[] {
  const attempts = records.map(({ command }) => toUsualCommand(command)).filter((attempt) => attempt !== "");
  return [...groupBy(attempts, String)]
    .filter(([, runs]) => runs.length >= USUAL_RUNS)
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([attempt]) => attempt);
}

/** What a later session on this task should not have to find out again. Settled points are taken off the list. */
export function findTaskNotes(
  state: SessionState,
  { open, closed }: Pick<Continuation, "open" | "closed">,
): readonly Note[] {
  const left = [...open, ...closed]
    .filter(({ source, status }) => source === "tasks" || (source === "model" && status === "open"))
    .map(({ subject, status }) => ({
      section: "What's Left",
      text: clipLine(subject, MAX_SUBJECT),
      isSettled: !isUnfinished({ status }),
    }));
  return [...listFailed(state), ...left];
}

/** The same command that failed again with the same line. A failing test or check is work left to do, not a failed approach. */
function listFailed({ errors, commands }: SessionState): readonly Note[] {
  const ran = new Set(commands.map(({ callId }) => callId));
  return errors
    .filter(({ times, resolvedBy, callId }) => times > 1 && resolvedBy === "" && ran.has(callId))
    .filter(({ attempt, line }) => toUsualCommand(attempt) !== "" && !/^Exit code\b/.test(line))
    .filter(({ attempt }) => !isTestCommand(attempt) && !isCheckCommand(attempt))
    .slice(-MAX_FAILED)
    .map(({ attempt, line, times }) => ({
      section: "What Failed",
      text: `\`${attempt}\` failed ${times} times: ${clipLine(line, MAX_LINE)}`,
    }));
}

const MAX_CHARACTERS = 120;

/** A command that can be run again, without options that only shape its output. Empty for scripts, parts of a line, and commands that only look around. */
export function toUsualCommand(command: string): string {
  const attempt = nameAttempt({ kind: "run", command });
  const isWhole = attempt.length < MAX_CHARACTERS && !/[\n;]|<<|\\$/.test(attempt) && !command.trim().includes("\n");
  const quotes = attempt.match(/["'`]/g)?.length ?? 0;
  return isWhole && quotes % 2 === 0 && !isProbe(attempt) && !/^ssh\b/.test(attempt) ? attempt : "";
}

/** Whether it applies to the whole project: it names no file and no place on this machine. */
function isOfProject(attempt: string): boolean {
  return (
    findPaths(attempt).length === 0 && !/(?:^|[\s="'])(?:\/|~|[A-Z]:[\\/])|&&|\s-(?:run|k|t|g)\b|--grep/.test(attempt)
  );
}
