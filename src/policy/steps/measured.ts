import { toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { describeBoundary } from "../advice/find-boundary.ts";
import { measurePercent, noteQuote, type Quote, quoteHealth } from "../advice/quote-health.ts";
import { chain, type PolicyStep, stay } from "../command.ts";
import { type DensityFollowed, followDensity } from "../density/step-density.ts";
import { due, sayDue } from "../injection/compose-injections.ts";
import {
  type AdviceState,
  emptyRedState,
  NOTHING_ADVISED,
  type PolicyState,
  type RemainingLevel,
} from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { loopSaved } from "./looped.ts";
import { warnOf } from "./opened.ts";

export interface Measured {
  readonly health: Health;
  readonly model: () => string;
  /** Called only if the next safe place to compact is to be named. */
  readonly happened?: (() => Happened | undefined) | undefined;
}

/** The window was measured after a call. Says what its level requires; at RED only after the state is on disk. */
export function measured(state: PolicyState, event: Measured, settings: Settings): PolicyStep {
  if (!settings.hasAdvisories && settings.density !== "auto") return stay(state);
  const { health, model } = event;
  const { red } = state;
  const hasCompacted = red.health !== undefined && red.health.compactions !== health.compactions;
  const advice = settleAdvice(red.advice, health);
  const askedAtCalls = hasCompacted ? undefined : red.askedAtCalls;
  const settled = { ...state, red: { ...red, advice, health, askedAtCalls } };
  const compacted = hasCompacted
    ? followDensity(settled, { kind: "compaction", level: health.level }, "context")
    : { ...stay(settled), list: [] };
  if (!assessAdvice(health).isCritical) return speak(compacted, adviseQuietly(advice, health), { ...event, settings });
  const said = chain(sayDue(compacted.state, compacted.list, model), (next) => ({ ...compacted, state: next }));
  if (!hasWaited(health, askedAtCalls) || !isCriticalDue(advice, health)) return said;
  return chain(said, (next) => ({
    state: { ...next, red: { ...next.red, askedAtCalls: health.toolCalls } },
    commands: [{ kind: "save" }],
  }));
}

/** A requested save is on disk, or `why` says why not. Only then may the model be told that it is. */
export function saved(
  state: PolicyState,
  { why, model }: { readonly why: string | undefined; readonly model: () => string },
  settings: Settings,
): PolicyStep {
  const { askedAtCalls, advice, health } = state.red;
  const answered = stay({ ...state, red: { ...state.red, askedAtCalls: undefined } });
  const isAwaited = askedAtCalls !== undefined && health !== undefined && isCriticalDue(advice, health);
  const problem = why && toOneLine(why);
  const advised = isAwaited
    ? speak({ ...answered, list: [] }, adviseCritically(advice, health, problem), { health, model, settings })
    : answered;
  return chain(advised, (next) => loopSaved(next, why));
}

/** Tells the model the advice, preceded by what the level means for the density of answers. */
function speak(
  before: DensityFollowed,
  advised: Advised,
  event: Measured & { readonly settings: Settings },
): PolicyStep {
  const { health, model, settings } = event;
  const { level } = health;
  const state = { ...before.state, red: { ...before.state.red, advice: advised.state } };
  const dense = followDensity(state, { kind: "level", level, isAuto: settings.density === "auto" }, "context");
  const advice = settings.hasAdvisories ? advised.advice : undefined;
  const said = advice && `${advice.text}\nNote: ${noteQuote(advice.quote, health)}${nameWay(event)}`;
  const list = [...before.list, ...dense.list, due("advisory", level, said ?? "")];
  const warnings = assessAdvice(health).isCritical ? warnOf(advice?.text) : [];
  const onLoad = sayDue(dense.state, list, model);
  return { state: onLoad.state, commands: [...onLoad.commands, ...warnings, ...before.commands, ...dense.commands] };
}

/** What the model can do about it: the user sees the words on their screen, and the model cannot do what they ask. */
function nameWay({ health, happened }: Measured): string {
  if (assessAdvice(health).isCritical)
    return "\nOnly the user can run /compact, and the user has been told. Finish the current step and start nothing large.";
  // Names the boundary, which says more than "at the next phase boundary".
  const known = health.level === "ORANGE" ? happened?.() : undefined;
  return known === undefined ? "" : `\nboundary: ${describeBoundary(known)}`;
}

const SAFE_ABOVE = 35;
const CRITICAL_BELOW = 25;

/** More than 35 % left is SAFE and less than 25 % CRITICAL; 25 and 35 are WARNING. */
export function classifyRemaining(percentLeft: number): RemainingLevel {
  if (percentLeft > SAFE_ABOVE) return "SAFE";
  return percentLeft < CRITICAL_BELOW ? "CRITICAL" : "WARNING";
}

/** The state for this reading. After a compaction everything may be said again, after the debounce. A lower call count means another conversation. */
function settleAdvice(state: AdviceState, { toolCalls, compactions }: Health): AdviceState {
  const lastCalls = Math.max(state.quietAtCalls ?? 0, state.criticalAtCalls ?? 0);
  if (toolCalls < lastCalls) return { ...emptyRedState.advice, compactions };
  if (state.compactions === undefined) return { ...state, compactions };
  return state.compactions === compactions ? state : { ...state, ...NOTHING_ADVISED, compactions };
}

interface Advised {
  readonly state: AdviceState;
  /** One sentence for the agent, and the number in it. */
  readonly advice?: { readonly text: string; readonly quote: Quote };
}

/** Within so many tool calls there is at most one critical advisory, and no repetition. */
const DEBOUNCE_CALLS = 5;
const REPEAT_AFTER_CALLS = 20;
const RANKS: Readonly<Record<Level, number>> = { GREEN: 0, YELLOW: 1, ORANGE: 2, RED: 3 };

function hasWaited({ toolCalls }: Health, atCalls: number | undefined, calls = DEBOUNCE_CALLS): boolean {
  return atCalls === undefined || toolCalls - atCalls >= calls;
}

/** Whether a critical advisory is due. If so, the state must be saved first. */
function isCriticalDue({ isCriticalSaid, criticalAtCalls }: AdviceState, health: Health): boolean {
  const calls = isCriticalSaid ? REPEAT_AFTER_CALLS : DEBOUNCE_CALLS;
  return assessAdvice(health).isCritical && hasWaited(health, criticalAtCalls, calls);
}

/** Says that the state is saved, or `why` it is not. That does not count as said, so the next try comes as soon as the debounce allows. */
function adviseCritically(state: AdviceState, health: Health, why: string | undefined): Advised {
  const { level, remaining, quote } = assessAdvice(health);
  const isCriticalSaid = why === undefined;
  const text = isCriticalSaid ? renderCritical(quote) : renderCriticalUnsaved(quote, why);
  return {
    state: { ...state, saidLevel: level, saidRemaining: remaining, criticalAtCalls: health.toolCalls, isCriticalSaid },
    advice: { text, quote },
  };
}

/**
 * What to say below critical, if anything. A rise is said at once, and each level once until it falls or the window is compacted; a fall is
 * not reported. A level that returns after a fall waits for the debounce, because it is not news.
 */
function adviseQuietly(given: AdviceState, health: Health): Advised {
  const { level, remaining, quote } = assessAdvice(health);
  // A level that no longer holds may be reported again when it returns.
  const state: AdviceState = {
    ...given,
    saidLevel: RANKS[level] < RANKS[given.saidLevel] ? level : given.saidLevel,
    saidRemaining: remaining === "SAFE" ? "SAFE" : given.saidRemaining,
    isCriticalSaid: false,
  };
  const said = { quietLevel: level, quietAtCalls: health.toolCalls };
  const mayRepeat = hasWaited(health, state.quietAtCalls);
  if (RANKS[level] > RANKS[state.saidLevel] && (mayRepeat || RANKS[level] > RANKS[state.quietLevel ?? "GREEN"])) {
    const text = level === "YELLOW" ? renderYellow(quote) : renderOrange(quote);
    return { state: { ...state, ...said, saidLevel: level }, advice: { text, quote } };
  }
  const percent = measurePercent(health);
  // ORANGE already recommends the same, in stronger words.
  const isNews = remaining === "WARNING" && level !== "ORANGE" && state.saidRemaining === "SAFE";
  if (!isNews || percent === undefined || !mayRepeat) return { state };
  return {
    state: { ...state, ...said, saidRemaining: remaining },
    advice: { text: renderWarning(percent), quote: { kind: "percent", percent } },
  };
}

function assessAdvice(health: Health) {
  const { profile, level } = health;
  // It goes by the raw window, so it only accompanies profiles that ignore the compaction point: it would call 760k of a million critical.
  const percent = profile === "measured" ? undefined : measurePercent(health);
  const remaining = percent === undefined ? "SAFE" : classifyRemaining(100 - percent);
  // Both tables use the same percentage. The one that the user chose decides what is critical.
  const isCriticalByRest = remaining === "CRITICAL" && profile !== "percent";
  // An advisory that is critical by percentage alone quotes the percentage, because the tool calls would not explain it.
  const quote: Quote =
    percent !== undefined && isCriticalByRest && level !== "RED" ? { kind: "percent", percent } : quoteHealth(health);
  return { level, remaining, isCritical: level === "RED" || isCriticalByRest, quote };
}

/** The wording is a contract: agents and scripts match on it, so only the number changes. */
export function renderYellow(quote: Quote): string {
  return `${renderLead(quote)} Load only essential files. Avoid reading full files when Grep will do.`;
}

export function renderOrange(quote: Quote): string {
  return `${renderLead(quote)} Recommend /compact at next phase boundary (after current module completes).`;
}

/** Says that the state is saved, so render it only after the save was confirmed. */
export function renderCritical(quote: Quote): string {
  return `Context CRITICAL (${renderLoad(quote)}). State saved to .plimsoll/. Run /compact now.`;
}

/** Used if saving failed: claiming a save that did not happen would cost the user their work. */
export function renderCriticalUnsaved(quote: Quote, why: string): string {
  return `Context CRITICAL (${renderLoad(quote)}). State NOT saved: ${why}. Note what matters before you run /compact.`;
}

export function renderWarning(percentUsed: number): string {
  return `Context at ~${Math.round(percentUsed)}%. Consider /compact at next phase boundary`;
}

function renderLead(quote: Quote): string {
  return quote.kind === "calls" ? `${quote.toolCalls} tool calls.` : `Context at ${Math.round(quote.percent)}%.`;
}

function renderLoad(quote: Quote): string {
  return quote.kind === "calls" ? `${quote.toolCalls} tool calls, likely near limit` : `${Math.round(quote.percent)}%`;
}
