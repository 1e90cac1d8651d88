import { clipLine, sliceWhole, toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { followRules } from "../../core/standing-rules.ts";
import { addCounts } from "../../session/action.ts";
import { isAbsolute } from "../../session/file-path.ts";
import type { SessionState } from "../../session/session.ts";
import { describeFix, renderTaskSummary, type TaskSummary } from "../cold-tasks/plan-cold-tasks.ts";
import { type Continuation, findContinuation, type Happened } from "./continuation.ts";
import { findStanding } from "./standing-record.ts";
import { clipDecision, createShortener } from "./summary.ts";

export interface PreservationInput {
  readonly happened: Happened;
  /** The project's folder; paths are written relative to it. */
  readonly root: string;
  readonly trigger: string;
  readonly summaries: readonly TaskSummary[];
}

/** The client cuts a hook's output here. We cut first, where it matters least, and say so. */
export const MAX_PRESERVATION_CHARACTERS = 10_000;

const MAX_TASKS = 10;
const MAX_FILES = 20;
const MAX_TEST_COMMANDS = 5;
const MAX_TEST_COMMAND_CHARACTERS = 80;
const MAX_DECISIONS = 15;
const MAX_ERRORS = 8;
const MAX_RULES = 20;

const HEADING = "═══ COMPACTION PRESERVATION INSTRUCTIONS ═══";

const WORDS = "🎯 THE USER'S WORDS:";

const RULES = [
  "COMPACTION RULES:",
  "  1. Include ALL active/in-progress tasks with their current status",
  "  2. Include the complete modified files list",
  "  3. Preserve all key decisions — these explain WHY things were done",
  "  4. Note any unresolved errors so work can resume correctly",
  "  5. Keep the git diff summary so the state of changes is clear",
  "  6. For PRE-COMPUTED SUMMARIES: use them verbatim, do not re-summarize",
  "  7. Preserve next steps and in-progress work state",
  "  8. Do NOT discard any pending/in-progress task context",
] as const;

interface Section {
  readonly title: string;
  /** Each entry may have several lines; the first entry is the most important. */
  readonly entries: readonly string[];
  /** A last line, such as a total, that stays as long as the section does. */
  readonly footer?: string;
}

/** The block that tells a summarising model what must survive. Empty sections are left out. */
export function renderPreservation(input: PreservationInput): string {
  const sections = listSections(input);
  const lay = (shown: readonly Section[]): string =>
    [
      HEADING,
      `Trigger: ${clipLine(input.trigger, 40)}`,
      "The following context MUST be preserved verbatim:",
      "",
      ...shown.flatMap(renderSection),
      ...RULES,
      "═".repeat(HEADING.length),
    ].join("\n");
  return lay(cutSections(sections, MAX_PRESERVATION_CHARACTERS - lay([]).length));
}

/** Whether there is anything besides the user's latest words. Otherwise the block is rules about nothing, and the client prints it on the screen. */
export function hasAnythingToPreserve(input: PreservationInput): boolean {
  return listSections(input).some(
    ({ title, entries, footer }) => title !== WORDS && (entries.length > 0 || footer !== undefined),
  );
}

function renderSection({ title, entries, footer }: Section): readonly string[] {
  const lines = footer === undefined ? entries : [...entries, footer];
  return lines.length === 0 ? [] : [title, ...lines, ""];
}

/** In the order shown; `CUT_ORDER` says which is cut first. */
function listSections({ happened, root, summaries }: PreservationInput): readonly Section[] {
  const { state } = happened;
  const continuation = findContinuation(happened);
  const { request, next, rules } = findStanding(happened, continuation, root);
  const { open, decisions } = continuation;
  const bullet = (text: string): string => `  • ${text}`;
  const changes = renderDiffStat(state, root);
  const newestRules = followRules(rules).slice(-MAX_RULES).reverse();
  return [
    {
      title: "📋 ACTIVE / IN-PROGRESS TASKS:",
      entries: open.slice(0, MAX_TASKS).map(({ subject }) => bullet(clipLine(subject, 300))),
    },
    { title: "📝 FILES MODIFIED THIS SESSION:", entries: listModified(state).map(bullet) },
    { title: "🧪 TEST COMMANDS RUN:", entries: listTestCommands(state).map(bullet) },
    {
      title: "🧠 KEY DECISIONS MADE:",
      // The user's rules follow below, in their own words.
      entries: decisions
        .filter(({ text }) => !rules.includes(text))
        .slice(0, MAX_DECISIONS)
        .map(({ text }) => bullet(clipDecision(text, 300))),
    },
    { title: "⚠️ RECENT ERRORS:", entries: listErrors(continuation).map(bullet) },
    { title: "📦 GIT DIFF STAT:", ...changes },
    {
      title: "📁 PRE-COMPUTED TASK SUMMARIES (use verbatim — already compressed):",
      entries: summaries.map(renderTaskSummary),
    },
    { title: "📌 THE USER'S STANDING RULES:", entries: newestRules.map(({ sentence }) => bullet(`"${sentence}"`)) },
    { title: WORDS, entries: request.map(({ text }) => bullet(toOneLine(text))) },
    { title: "➡️ NEXT STEP:", entries: next.map(({ text }) => bullet(text)) },
  ];
}

function listModified({ files }: SessionState): readonly string[] {
  return files
    .filter(({ changedRequest }) => changedRequest > 0)
    .sort((left, right) => right.changedRequest - left.changedRequest)
    .slice(0, MAX_FILES)
    .map(({ path }) => path.replace(/[\r\n]+/g, " "));
}

const MAX_GRAPH_CHARACTERS = 20;

/**
 * In the form of `git diff --stat`, of this session's edits since its last commit. Git itself is not asked: it starts programs
 * that a project's settings name (docs/decisions/0049-nothing-a-project-names-is-started.md).
 */
export function renderDiffStat({ files }: SessionState, root: string): Pick<Section, "entries" | "footer"> {
  const shorten = createShortener(root);
  const changed = files
    .flatMap(({ path, uncommitted }) => (uncommitted ? [{ name: shorten(path), ...uncommitted }] : []))
    .filter(({ name }) => root === "" || !isAbsolute(name))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  if (changed.length === 0) return { entries: [] };
  const widest = Math.max(MAX_GRAPH_CHARACTERS, ...changed.map(({ added, removed }) => added + removed));
  const draw = (sign: string, lines: number): string => sign.repeat(Math.ceil((lines * MAX_GRAPH_CHARACTERS) / widest));
  const entries = changed.map(({ name, added, removed }) => {
    const size = added + removed === 0 ? "edited" : `${added + removed} ${draw("+", added)}${draw("-", removed)}`;
    return `  ${name.replace(/[\r\n]+/g, " ")} | ${size}`;
  });
  const sum = changed.reduce(addCounts, { added: 0, removed: 0 });
  const counts = [
    `${renderCount(changed.length, "file")} changed`,
    ...(sum.added > 0 ? [`${renderCount(sum.added, "insertion")}(+)`] : []),
    ...(sum.removed > 0 ? [`${renderCount(sum.removed, "deletion")}(-)`] : []),
  ];
  return { entries, footer: `  ${counts.join(", ")}, by this session's edits since its last commit` };
}

function listTestCommands({ commands }: SessionState): readonly string[] {
  const runs = commands.filter(({ isTest }) => isTest).map(({ command }) => oneLine(command));
  return [...new Set(runs.reverse())].slice(0, MAX_TEST_COMMANDS);
}

function oneLine(command: string): string {
  return sliceWhole(toOneLine(command), MAX_TEST_COMMAND_CHARACTERS);
}

/** A fixed error without its fix would send the model after it again. */
function listErrors({ errors, fixed }: Continuation): readonly string[] {
  const open = errors.map(({ attempt, line }) => `\`${oneLine(attempt)}\` → ${clipLine(line, 200)}`);
  const known = fixed.map((error) => `\`${oneLine(error.attempt)}\` → ${describeFix(error)}`);
  return [...new Set([...known.slice(0, Math.max(0, MAX_ERRORS - open.length)), ...open])].slice(0, MAX_ERRORS);
}

/** Least important first, by index: summaries, tests, diff, errors, decisions, files, tasks, next step, words, rules. */
const CUT_ORDER: readonly number[] = [6, 2, 5, 4, 3, 1, 0, 9, 8, 7];
const LEFT_OUT = (count: number): string =>
  `  … ${count} more left out (limit ${MAX_PRESERVATION_CHARACTERS} characters)`;

function cutSections(sections: readonly Section[], maxCharacters: number): readonly Section[] {
  const shown = sections.map((section) => ({ ...section }));
  const size = (): number => shown.flatMap(renderSection).reduce((sum, line) => sum + line.length + 1, 0);
  for (const at of CUT_ORDER) {
    const section = shown[at];
    const whole = section?.entries ?? [];
    for (let kept = whole.length - 1; section && kept >= 0 && size() > maxCharacters; kept--)
      section.entries = [...whole.slice(0, kept), LEFT_OUT(whole.length - kept)];
  }
  return shown;
}

/** After a compaction that the client made itself: whether summaries of this session's finished tasks are on disk. */
export function describeClientCompaction(taskSummaries: number): string {
  return `the client wrote its own summary; task summaries of this session on disk: ${taskSummaries}`;
}
