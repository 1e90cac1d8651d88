import { toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { type DensityEvent, type DensityState, initialDensityState } from "../density/density-state.ts";
import { stepDensity } from "../density/step-density.ts";
import {
  measurePercent,
  noteQuote,
  type Quote,
  quoteHealth,
  renderCritical,
  renderCriticalUnsaved,
  renderOrange,
  renderWarning,
  renderYellow,
} from "./quote-health.ts";

/** How much of the window is left, in three steps: a second opinion next to the levels. */
type RemainingLevel = "SAFE" | "WARNING" | "CRITICAL";

const SAFE_ABOVE = 35;
const CRITICAL_BELOW = 25;

/** More than 35 % left is SAFE and less than 25 % CRITICAL; 25 and 35 are WARNING. */
export function classifyRemaining(percentLeft: number): RemainingLevel {
  if (percentLeft > SAFE_ABOVE) return "SAFE";
  return percentLeft < CRITICAL_BELOW ? "CRITICAL" : "WARNING";
}

/** Which advice was given so far. Plain data: it is saved between two calls of a hook. */
export interface AdviceState {
  /** The level last reported; GREEN before the first report. */
  readonly saidLevel: Level;
  readonly saidRemaining: RemainingLevel;
  /** The tool call count at the last advisory below critical. */
  readonly quietAtCalls: number | undefined;
  /** The level at that advisory; absent before the first. */
  readonly quietLevel?: Level | undefined;
  readonly criticalAtCalls: number | undefined;
  /** A critical advisory was given, and every reading since was critical. */
  readonly isCriticalSaid: boolean;
  /** A save was confirmed, and no critical advisory has used it yet. */
  readonly isSaved: boolean;
  readonly compactions: number | undefined;
}

const NOTHING_SAID = { saidLevel: "GREEN", saidRemaining: "SAFE", isCriticalSaid: false, isSaved: false } as const;

export const emptyAdviceState: AdviceState = {
  ...NOTHING_SAID,
  quietAtCalls: undefined,
  criticalAtCalls: undefined,
  compactions: undefined,
};

/** The state for this reading. After a compaction everything may be said again, after the debounce. A lower call count means another conversation. */
function settleState(state: AdviceState, { toolCalls, compactions }: Health): AdviceState {
  const lastCalls = Math.max(state.quietAtCalls ?? 0, state.criticalAtCalls ?? 0);
  if (toolCalls < lastCalls) return { ...emptyAdviceState, compactions };
  if (state.compactions === undefined) return { ...state, compactions };
  return state.compactions === compactions ? state : { ...state, ...NOTHING_SAID, compactions };
}

/** One sentence for the agent with a number, and a note on how that number is known. */
export interface Advice {
  readonly kind: "level" | "remaining" | "critical";
  readonly level: Level;
  readonly text: string;
  readonly note: string;
}

interface Advised {
  readonly state: AdviceState;
  readonly advice: readonly Advice[];
}

/** Within so many tool calls there is at most one critical advisory, and no repetition. */
const DEBOUNCE_CALLS = 5;
const REPEAT_AFTER_CALLS = 20;
const RANKS: Readonly<Record<Level, number>> = { GREEN: 0, YELLOW: 1, ORANGE: 2, RED: 3 };

function hasWaited({ toolCalls }: Health, atCalls: number | undefined, calls = DEBOUNCE_CALLS): boolean {
  return atCalls === undefined || toolCalls - atCalls >= calls;
}

/**
 * What to say now, if anything. A rise is said at once, and each level once until it falls or the window is compacted; a fall is not
 * reported. A critical advisory states that the state is saved, so it waits for `confirmSave`.
 */
export function advise(given: AdviceState, health: Health): Advised {
  const state = settleState(given, health);
  if (!assessAdvice(health).isCritical) return adviseQuietly(state, health);
  if (!state.isSaved || !isCriticalDue(state, health)) return { state, advice: [] };
  return adviseCritically(state, health, renderCritical);
}

/** Records that the save is on disk, so that the next critical advisory may say so. */
export function confirmSave(state: AdviceState): AdviceState {
  return { ...state, isSaved: true };
}

/** Whether a critical advisory is due. If so, the state must be saved first. */
export function isCriticalDue(given: AdviceState, health: Health): boolean {
  const state = settleState(given, health);
  const calls = state.isCriticalSaid ? REPEAT_AFTER_CALLS : DEBOUNCE_CALLS;
  return assessAdvice(health).isCritical && hasWaited(health, state.criticalAtCalls, calls);
}

/** A critical advisory uses the save up, so the next one needs a fresh one. */
function adviseCritically(state: AdviceState, health: Health, render: (quote: Quote) => string): Advised {
  const { level, remaining, quote } = assessAdvice(health);
  const criticalAtCalls = health.toolCalls;
  const said = { saidLevel: level, saidRemaining: remaining, criticalAtCalls, isCriticalSaid: true, isSaved: false };
  return {
    state: { ...state, ...said },
    advice: [{ kind: "critical", level, text: render(quote), note: noteQuote(quote, health) }],
  };
}

/** A level above the last one reported is said at once. A level that returns after a fall waits for the debounce, because it is not news. */
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
    const advice = [{ kind: "level", level, text, note: noteQuote(quote, health) } as const];
    return { state: { ...state, ...said, saidLevel: level }, advice };
  }
  const percent = measurePercent(health);
  // ORANGE already recommends the same, in stronger words.
  const isNews = remaining === "WARNING" && level !== "ORANGE" && state.saidRemaining === "SAFE";
  if (!isNews || percent === undefined || !mayRepeat) return { state, advice: [] };
  const note = noteQuote({ kind: "percent", percent }, health);
  return {
    state: { ...state, ...said, saidRemaining: remaining },
    advice: [{ kind: "remaining", level, text: renderWarning(percent), note }],
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

export type RedInput =
  | { readonly kind: "measured"; readonly health: Health }
  | { readonly kind: "saveConfirmed" }
  | { readonly kind: "saveFailed"; readonly why: string };

/** What the protocol orders, in the order in which it must be carried out. */
export type RedEvent =
  | { readonly kind: "saveState" }
  | { readonly kind: "stateSaved" }
  | { readonly kind: "density"; readonly event: DensityEvent }
  | { readonly kind: "inject"; readonly text: string }
  | { readonly kind: "advice"; readonly advice: Advice };

/** Plain data. When the user asks for another density, an entry point steps `density` itself and stores it here. */
export interface RedState {
  readonly advice: AdviceState;
  readonly density: DensityState;
  readonly health: Health | undefined;
  /** The tool call count at which a save was requested that has not been confirmed. */
  readonly askedAtCalls: number | undefined;
}

export const emptyRedState: RedState = {
  advice: emptyAdviceState,
  density: initialDensityState,
  health: undefined,
  askedAtCalls: undefined,
};

interface RedStep {
  readonly state: RedState;
  readonly events: readonly RedEvent[];
}

interface RedOptions {
  /** A full window may switch terse writing on; otherwise only the user's own words do. */
  readonly isDensityAuto?: boolean;
}

/** Saves, confirms, asks for terse answers if the user allows that, and only then says that the load is critical. */
export function followRed(state: RedState, input: RedInput, options: RedOptions = {}): RedStep {
  if (input.kind === "measured") return followMeasure(state, input.health, options);
  if (state.askedAtCalls === undefined) return { state, events: [] };
  const answered: RedState = { ...state, askedAtCalls: undefined };
  return input.kind === "saveConfirmed"
    ? followSaved(answered, options)
    : followFailure(answered, toOneLine(input.why), options);
}

function followMeasure(given: RedState, health: Health, options: RedOptions): RedStep {
  const hasCompacted = given.health !== undefined && given.health.compactions !== health.compactions;
  const waiting = hasCompacted ? { askedAtCalls: undefined } : {};
  const state: RedState = { ...given, ...waiting, advice: settleState(given.advice, health), health };
  const { level, isCritical } = assessAdvice(health);
  const compacted = hasCompacted ? applyDensity(state, { kind: "compaction", level }) : { state, events: [] };
  if (!isCritical) return precede(compacted.events, speak(compacted.state, advise(state.advice, health), options));
  if (!hasWaited(health, state.askedAtCalls) || !isCriticalDue(state.advice, health)) return compacted;
  return precede(compacted.events, {
    state: { ...compacted.state, askedAtCalls: health.toolCalls },
    events: [{ kind: "saveState" }],
  });
}

function followSaved(state: RedState, options: RedOptions): RedStep {
  const saved: RedEvent = { kind: "stateSaved" };
  if (state.health === undefined) return { state, events: [saved] };
  const advised = advise(confirmSave(state.advice), state.health);
  return precede([saved], speak(state, { ...advised, state: { ...advised.state, isSaved: false } }, options));
}

function followFailure(state: RedState, why: string, options: RedOptions): RedStep {
  const { health } = state;
  if (health === undefined || !isCriticalDue(state.advice, health)) return { state, events: [] };
  const settled = settleState(state.advice, health);
  const advised = adviseCritically(settled, health, (quote) => renderCriticalUnsaved(quote, why));
  // Not counted as said, so the next try comes as soon as the debounce allows.
  return speak(state, { ...advised, state: { ...advised.state, isCriticalSaid: false } }, options);
}

/** The advice, preceded by what the level means for the density of answers. */
function speak(before: RedState, advised: Advised, { isDensityAuto = false }: RedOptions): RedStep {
  const state = { ...before, advice: advised.state };
  if (state.health === undefined) return { state, events: [] };
  const { level } = assessAdvice(state.health);
  const said = advised.advice.map((advice) => ({ kind: "advice", advice }) as const);
  const dense = applyDensity(state, { kind: "level", level, isAuto: isDensityAuto });
  return { state: dense.state, events: [...dense.events, ...said] };
}

function applyDensity(state: RedState, signal: Parameters<typeof stepDensity>[1]): RedStep {
  const { state: density, events, injections } = stepDensity(state.density, signal);
  return {
    state: { ...state, density },
    events: [
      ...events.map((event) => ({ kind: "density", event }) as const),
      ...injections.map((text) => ({ kind: "inject", text }) as const),
    ],
  };
}

function precede(events: readonly RedEvent[], step: RedStep): RedStep {
  return { state: step.state, events: [...events, ...step.events] };
}
