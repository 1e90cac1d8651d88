import type { ReportedLimit } from "../../measure/describe-limits.ts";
import type { Health } from "../../measure/health.ts";
import { isHeavy } from "../../measure/level.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { findContinuation, type Happened } from "../../survive/record/continuation.ts";
import { isAboutContext } from "../advice/is-about-context.ts";
import { reportHealth } from "../advice/report-health.ts";
import type { PolicyCommand, PolicyStep } from "../command.ts";
import type { DensityState } from "../density/density-state.ts";
import { type DensityFollowed, detectDensityRequest, followDensity } from "../density/step-density.ts";
import { due, type Injection, sayDue } from "../injection/compose-injections.ts";
import { decideModeInjection } from "../mode/decide-mode-injection.ts";
import type { PolicyState } from "../policy-state.ts";
import { fitRules } from "../rules/fit-rules.ts";
import { decideLimitWarnings } from "../rules/rate-limits.ts";
import type { Settings } from "../settings/settings.ts";
import type { Surroundings } from "../surroundings.ts";
import { hearMark } from "./kept.ts";
import { noteSaid, sayRules, warnOf, warnOfMode } from "./opened.ts";

export interface Said {
  /** The user's own words; empty for a notice that comes as a prompt. */
  readonly prompt: string;
  readonly surroundings: Surroundings;
  readonly limits: readonly ReportedLimit[];
  readonly first?: readonly Injection[];
  /** A function, because measuring the window is slow in a short process. */
  readonly health: () => Health;
  readonly happened: () => Happened | undefined;
  readonly savedDecisions: () => number;
  /** What the first request carried; `undefined` if unknown. */
  readonly baseTokens: () => number | undefined;
  readonly model: () => string;
}

/** What a prompt triggers: what has changed since the window was told, and what the user's own words ask for. */
export function said(given: PolicyState, event: Said, settings: Settings): PolicyStep {
  const { prompt, surroundings, first = [] } = event;
  const marked = hearMark(given, prompt);
  const state = marked?.state ?? given;
  const { waiting = [], ...injected } = state.told;
  const mode = decideModeInjection(state.told.mode, surroundings.mode, surroundings.modeText);
  const limits = decideLimitWarnings(event.limits, state.told.limits);
  const line = sayLine(state, event, settings);
  const density = hearPrompt(state, prompt, event.happened);
  const next: PolicyState = {
    ...density.state,
    told: { ...injected, limits: limits.said, ...(line === undefined ? {} : { line: line.saidAt }) },
  };
  const list: readonly Injection[] = [
    ...first,
    due("mode", "changed", mode.injection ?? "", noteSaid({ mode: mode.state })),
    sayRules("changed", fitRules(surroundings.rules).text, { rules: surroundings.rules, injected: state.told }),
    ...density.list,
    ...limits.warnings.map(({ level, text }) => due("reminder", `rate limit ${level}`, text)),
    ...(isAboutContext(prompt) ? [due("advisory", "asked about the context", answerAboutContext(event))] : []),
    ...(prompt !== "" && settings.remindsEachPrompt
      ? [due("reminder", "each prompt", renderReminder(surroundings))]
      : []),
  ];
  const { state: said, commands } = sayDue(next, list, event.model);
  const warnings: readonly PolicyCommand[] = [
    ...warnOf(marked?.text),
    ...warnOfMode(mode.warning),
    ...density.commands,
    ...waiting.flatMap(warnOf),
    ...warnOf(line?.text),
    ...limits.warnings.flatMap(({ text }) => warnOf(text)),
  ];
  const mended = mode.injection === undefined ? { ...said, told: { ...said.told, mode: mode.state } } : said;
  return { state: mended, commands: [...commands, ...warnings] };
}

/** What the prompt says about density, and what a `/caveman` does. */
export function hearPrompt(state: PolicyState, prompt: string, happened: Said["happened"]): DensityFollowed {
  const before = state.red.density;
  const isConcerned = before.manual === "caveman" || before.auto !== null || detectDensityRequest(prompt) !== undefined;
  // Store and look up nothing in a session in which terse writing is not used.
  if (prompt === "" || !isConcerned) return { state, list: [], commands: [] };
  const known = happened();
  const tasked = { ...state, red: { ...state.red, density: { ...before, tasksDone: countDone(known) } } };
  return followDensity(tasked, { kind: "prompt", text: prompt, startsTask: startsTask(before, known) }, "prompt");
}

/** A task begins with the session's first prompt, and whenever all noted work has been finished since the last prompt. */
function startsTask({ lastPrompt, tasksDone = 0 }: DensityState, happened: Happened | undefined): boolean {
  if (happened === undefined || happened.state.requests.count === 0) return lastPrompt === null;
  return findContinuation(happened).open.length === 0 && countDone(happened) > tasksDone;
}

function countDone(happened: Happened | undefined): number {
  return happened?.state.work.filter(({ status }) => status === "done").length ?? 0;
}

/** Counts responses, because the first one of a task is always written in full. */
export function responded(state: PolicyState): PolicyState {
  return followDensity(state, { kind: "responded" }, "").state;
}

/** Says once per window that the user's own line is reached. */
function sayLine(
  { told: injected }: PolicyState,
  { health }: Said,
  { lineTokens }: Settings,
): { readonly text: string; readonly saidAt: number } | undefined {
  if (lineTokens === null) return undefined;
  const { usedTokens, compactions } = health();
  if (usedTokens === undefined || usedTokens < lineTokens || injected.line === compactions) return undefined;
  const text = `your line of ${renderTokens(lineTokens)} is reached: the window has ${renderTokens(usedTokens)} tokens. Run /compact to make room`;
  return { text, saidAt: compactions };
}

/** If the user asks about the window, the model gets the figures instead of guessing them. */
function answerAboutContext({ prompt, health, happened, savedDecisions, baseTokens }: Said): string {
  const measured = health();
  const known = happened();
  const decisionsSaved = savedDecisions();
  const operations = recommendOperations({
    ...measured,
    unsavedDecisions: Math.max(0, (known?.state.decided.decisions.length ?? 0) - decisionsSaved),
    isNextUnrelated: LEAVING.test(prompt),
  });
  const facts = {
    health: measured,
    happened: known,
    savedDecisions: decisionsSaved,
    baseTokens: baseTokens(),
    isAwaitingPerson: true,
  };
  return [
    "The user asks about the context window. Measured now:",
    reportHealth(facts),
    ...operations.map((text) => `- ${text}`),
  ].join("\n");
}

/** Phrases for something unrelated to the current work: "something else", "a new task", "an unrelated bug". */
export const LEAVING: RegExp =
  /\b(?:unrelated|something (?:else|different|new)|(?:new|different|other|another|next) (?:task|topic|feature|project|subject|thing|problem|ticket|issue)|fresh start|start(?:ing)? (?:over|afresh|fresh|anew)|from scratch)\b/i;

export const EFFICIENCY_REMINDER = "Match effort to request complexity. No preambles.";

/** Paid with every prompt and again in every later request, so it is half of what a session's start gets. */
const MAX_REPEATED_CHARACTERS = 2000;

/** What is repeated with every prompt, if the user asked for that. */
export function renderReminder({ rules, plan }: Pick<Surroundings, "rules" | "plan">): string {
  const fitted = fitRules(rules, { maxFileCharacters: 1000, maxTotalCharacters: MAX_REPEATED_CHARACTERS });
  return [EFFICIENCY_REMINDER, ...(plan === "" ? [] : [`Plan Context: ${plan}`]), fitted.text]
    .filter((part) => part !== "")
    .join("\n");
}

export interface OperationFacts extends Pick<Health, "level" | "compactions" | "hasLargeFiles"> {
  readonly unsavedDecisions: number;
  readonly isNextUnrelated: boolean;
}

/** From here on, each summary is mostly a summary of summaries. */
const FRESH_START_AFTER = 3;

/** Which of the four operations on a window help now, the most urgent first, and whether to leave it; nothing while it is light and its content still useful. */
export function recommendOperations(facts: OperationFacts): readonly string[] {
  const { level, compactions, unsavedDecisions, hasLargeFiles, isNextUnrelated } = facts;
  const isLight = level === "GREEN";
  const isWorn = isHeavy(level) && compactions >= FRESH_START_AFTER;
  const reason = isNextUnrelated
    ? "the next work needs nothing that is in the window"
    : `this session was compacted ${compactions} times`;
  return [
    ...(unsavedDecisions > 0 && (!isLight || isNextUnrelated)
      ? [`Write: put ${unsavedDecisions} unsaved decisions into .plimsoll/ before they can be lost.`]
      : []),
    ...(isNextUnrelated || isWorn ? [`Fresh start: save the state and begin a new session, because ${reason}.`] : []),
    ...(isHeavy(level) ? ["Compress: fold old tool results, then compact at the next boundary."] : []),
    ...(isLight
      ? []
      : ["Select: load only what the task needs; search before you read, and read ranges before whole files."]),
    ...(hasLargeFiles && !isLight ? ["Isolate: let a subagent read the large files and report back."] : []),
  ];
}
