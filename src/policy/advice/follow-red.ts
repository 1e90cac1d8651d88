import { toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { type DensityEvent, type DensityState, initialDensityState } from "../density/density-state.ts";
import { stepDensity } from "../density/step-density.ts";
import {
  type AdviceState,
  classifyRemaining,
  emptyAdviceState,
  type RemainingLevel,
  settleState,
} from "./advice-state.ts";
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

/** One sentence for the agent, with a number and how that number is known. */
export interface Advice {
  readonly kind: "level" | "remaining" | "critical";
  readonly level: Level;
  readonly text: string;
  readonly quote: Quote;
  readonly confidence: "exact" | "directional";
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

/**
 * What to say now, if anything. A rise is said at once, and each level once until it falls or the window is compacted; a fall is not
 * reported. A critical advisory states that the state is saved, so it waits for `confirmSave`.
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

/** Records that the save is on disk, so that the next critical advisory may say so. */
export function confirmSave(state: AdviceState): AdviceState {
  return { ...state, isSaved: true };
}

/** Whether a critical advisory is due. If so, the state must be saved first. */
export function isCriticalDue(given: AdviceState, health: Health, options: AdviceOptions = {}): boolean {
  const state = settleState(given, health);
  if (!assessAdvice(health, options).isCritical) return false;
  const waited = health.toolCalls - (state.criticalAtCalls ?? Number.NEGATIVE_INFINITY);
  return waited >= (state.isCriticalSaid ? REPEAT_AFTER_CALLS : DEBOUNCE_CALLS);
}

/** The state after a critical advisory. It uses the save up, so the next advisory needs a fresh one. */
function noteCritical(given: AdviceState, health: Health, options: AdviceOptions = {}): AdviceState {
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

/** A level above the last one reported is said at once. A level that returns after a fall waits for the debounce, because it is not news. */
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
  // ORANGE already recommends the same, in stronger words.
  const isNews = remaining === "WARNING" && level !== "ORANGE" && state.saidRemaining === "SAFE";
  if (!isNews || percent === undefined || !mayRepeat) return { state, advice: [] };
  const measured = { level, quote: { kind: "percent", percent } as const, health };
  return {
    state: { ...state, saidRemaining: remaining, quietLevel: level, quietAtCalls: health.toolCalls },
    advice: [composeAdvice("remaining", renderWarning(percent), measured)],
  };
}

/** A level that no longer holds may be reported again when it returns. */
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

function composeAdvice(kind: Advice["kind"], text: string, { level, quote, health }: Ground): Advice {
  const confidence = quote.kind === "percent" ? "exact" : "directional";
  return { kind, level, text, quote, confidence, note: noteQuote(quote, health) };
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

export interface RedStep {
  readonly state: RedState;
  readonly events: readonly RedEvent[];
}

/** Saves, confirms, asks for terse answers if the user allows that, and only then says that the load is critical. */
export function followRed(state: RedState, input: RedInput, options: AdviceOptions = {}): RedStep {
  switch (input.kind) {
    case "measured":
      return followMeasure(state, input, options);
    case "saveConfirmed":
      return followSaved(state, options);
    case "saveFailed":
      return followFailure(state, toOneLine(input.why), options);
  }
}

type Measured = Extract<RedInput, { kind: "measured" }>;

function followMeasure(given: RedState, { health }: Measured, options: AdviceOptions): RedStep {
  const hasCompacted = given.health !== undefined && given.health.compactions !== health.compactions;
  const waiting = hasCompacted ? { askedAtCalls: undefined } : {};
  const state: RedState = { ...given, ...waiting, advice: settleState(given.advice, health), health };
  const { level, isCritical } = assessAdvice(health, options);
  const compacted = hasCompacted ? applyDensity(state, { kind: "compaction", level }) : { state, events: [] };
  if (!isCritical) {
    const advised = advise(state.advice, health, options);
    return precede(compacted.events, speak({ ...compacted.state, advice: advised.state }, advised.advice, options));
  }
  const hasWaited = health.toolCalls - (state.askedAtCalls ?? Number.NEGATIVE_INFINITY) >= DEBOUNCE_CALLS;
  if (!hasWaited || !isCriticalDue(state.advice, health, options)) return compacted;
  return precede(compacted.events, {
    state: { ...compacted.state, askedAtCalls: health.toolCalls },
    events: [{ kind: "saveState" }],
  });
}

function followSaved(state: RedState, options: AdviceOptions): RedStep {
  if (state.askedAtCalls === undefined) return { state, events: [] };
  const answered: RedState = { ...state, askedAtCalls: undefined };
  const saved: RedEvent = { kind: "stateSaved" };
  if (state.health === undefined) return { state: answered, events: [saved] };
  const advised = advise(confirmSave(state.advice), state.health, options);
  return precede(
    [saved],
    speak({ ...answered, advice: { ...advised.state, isSaved: false } }, advised.advice, options),
  );
}

function followFailure(state: RedState, why: string, options: AdviceOptions): RedStep {
  const { health } = state;
  if (state.askedAtCalls === undefined) return { state, events: [] };
  const answered: RedState = { ...state, askedAtCalls: undefined };
  if (health === undefined || !isCriticalDue(state.advice, health, options)) return { state: answered, events: [] };
  const { level, quote } = assessAdvice(health, options);
  const advice = composeAdvice("critical", renderCriticalUnsaved(quote, why), { level, quote, health });
  // Not counted as said, so the next try comes as soon as the debounce allows.
  const noted = { ...noteCritical(state.advice, health, options), isCriticalSaid: false };
  return speak({ ...answered, advice: noted }, [advice], options);
}

/** The advice, preceded by what the level means for the density of answers. */
function speak(state: RedState, advice: readonly Advice[], options: AdviceOptions): RedStep {
  if (state.health === undefined) return { state, events: [] };
  const { level } = assessAdvice(state.health, options);
  const dense = applyDensity(state, { kind: "level", level, isAuto: options.isDensityAuto === true });
  const said = advice.map((given) => ({ kind: "advice", advice: given }) as const);
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

export interface AdviceOptions {
  /**
   * Advise by remaining percentage. It uses the raw window, so by default it only accompanies profiles that ignore the compaction point:
   * on a window of a million tokens it would call 760k critical, long before the line.
   */
  readonly remaining?: boolean;
  /** A full window may switch terse writing on; otherwise only the user's own words do. */
  readonly isDensityAuto?: boolean;
}

interface Assessment {
  readonly level: Level;
  readonly remaining: RemainingLevel;
  readonly isCritical: boolean;
  readonly quote: Quote;
}

function assessAdvice(health: Health, options: AdviceOptions = {}): Assessment {
  const { profile, level } = health;
  const percent = (options.remaining ?? profile !== "measured") ? measurePercent(health) : undefined;
  const remaining = percent === undefined ? "SAFE" : classifyRemaining(100 - percent);
  // Both tables use the same percentage. The one that the user chose decides what is critical.
  const isCriticalByRest = remaining === "CRITICAL" && profile !== "percent";
  // An advisory that is critical by percentage alone quotes the percentage, because the tool calls would not explain it.
  const quote: Quote =
    percent !== undefined && isCriticalByRest && level !== "RED" ? { kind: "percent", percent } : quoteHealth(health);
  return { level, remaining, isCritical: level === "RED" || isCriticalByRest, quote };
}
