import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { type AdviceState, settleState } from "./advice-state.ts";
import { type AdviceOptions, type Assessment, assessAdvice } from "./assess-advice.ts";
import { measurePercent, noteQuote, type Quote } from "./quote-health.ts";
import { renderCritical, renderOrange, renderWarning, renderYellow } from "./render-advisory.ts";

/** One sentence for the agent, with a number in it and how that number is known. */
export interface Advice {
  readonly kind: "level" | "remaining" | "critical";
  readonly level: Level;
  readonly text: string;
  readonly quote: Quote;
  readonly confidence: "exact" | "directional";
  readonly note: string;
}

export interface Advised {
  readonly state: AdviceState;
  readonly advice: readonly Advice[];
}

/** In so many tool calls: at most one critical advisory, and nothing that repeats what was just said. */
export const DEBOUNCE_CALLS = 5;
const REPEAT_AFTER_CALLS = 20;
const RANKS: Readonly<Record<Level, number>> = { GREEN: 0, YELLOW: 1, ORANGE: 2, RED: 3 };

/**
 * What to say now, if anything. A rise is said at once, each level once until it falls or the window is compacted; a fall is not news.
 * A critical advisory says that the state is saved, so it waits for `confirmSave`.
 */
export function advise(given: AdviceState, health: Health, options: AdviceOptions = {}): Advised {
  const state = settleState(given, health);
  const assessment = assessAdvice(health, options);
  if (!assessment.isCritical) return adviseQuietly(forgetFallen(state, assessment), health, options);
  if (!state.isSaved || !isCriticalDue(state, health, options)) return { state, advice: [] };
  const { level, quote } = assessment;
  return {
    state: noteCritical(state, health, options),
    advice: [composeAdvice("critical", renderCritical(quote), { level, quote, health })],
  };
}

/** The save is on disk: the next critical advisory may say so. */
export function confirmSave(state: AdviceState): AdviceState {
  return { ...state, isSaved: true };
}

/** Whether a critical advisory is wanted now: then the state must be saved first. */
export function isCriticalDue(given: AdviceState, health: Health, options: AdviceOptions = {}): boolean {
  const state = settleState(given, health);
  if (!assessAdvice(health, options).isCritical) return false;
  const waited = health.toolCalls - (state.criticalAtCalls ?? Number.NEGATIVE_INFINITY);
  return waited >= (state.isCriticalSaid ? REPEAT_AFTER_CALLS : DEBOUNCE_CALLS);
}

/** The state after something critical was said, which uses the save up: the next one needs a fresh save. */
export function noteCritical(given: AdviceState, health: Health, options: AdviceOptions = {}): AdviceState {
  const state = settleState(given, health);
  const { level, remaining } = assessAdvice(health, options);
  return {
    ...state,
    saidLevel: level,
    saidRemaining: remaining,
    criticalAtCalls: health.toolCalls,
    isCriticalSaid: true,
    isSaved: false,
  };
}

/** A level above the one last said is said at once; one that comes back after a fall waits, and the same words again would tell nothing new. */
function adviseQuietly(state: AdviceState, health: Health, options: AdviceOptions): Advised {
  const { level, remaining, quote } = assessAdvice(health, options);
  const waited = health.toolCalls - (state.quietAtCalls ?? Number.NEGATIVE_INFINITY);
  const mayRepeat = waited >= DEBOUNCE_CALLS;
  if (RANKS[level] > RANKS[state.saidLevel] && (mayRepeat || RANKS[level] > RANKS[state.quietLevel ?? "GREEN"])) {
    const text = level === "YELLOW" ? renderYellow(quote) : renderOrange(quote);
    const said = { ...state, saidLevel: level, quietLevel: level, quietAtCalls: health.toolCalls };
    return { state: said, advice: [composeAdvice("level", text, { level, quote, health })] };
  }
  const percent = measurePercent(health);
  // ORANGE recommends the same already, in stronger words.
  const isNews = remaining === "WARNING" && level !== "ORANGE" && state.saidRemaining === "SAFE";
  if (!isNews || percent === undefined || !mayRepeat) return { state, advice: [] };
  const measured = { level, quote: { kind: "percent", percent } as const, health };
  return {
    state: { ...state, saidRemaining: remaining, quietLevel: level, quietAtCalls: health.toolCalls },
    advice: [composeAdvice("remaining", renderWarning(percent), measured)],
  };
}

/** What no longer holds may be said again when it comes back. */
function forgetFallen(state: AdviceState, { level, remaining }: Assessment): AdviceState {
  return {
    ...state,
    saidLevel: RANKS[level] < RANKS[state.saidLevel] ? level : state.saidLevel,
    saidRemaining: remaining === "SAFE" ? "SAFE" : state.saidRemaining,
    isCriticalSaid: false,
  };
}

interface Ground {
  readonly level: Level;
  readonly quote: Quote;
  readonly health: Health;
}

export function composeAdvice(kind: Advice["kind"], text: string, { level, quote, health }: Ground): Advice {
  const confidence = quote.kind === "percent" ? "exact" : "directional";
  return { kind, level, text, quote, confidence, note: noteQuote(quote, health) };
}
