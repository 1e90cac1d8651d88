import { toOneLine } from "../../core/clip-text.ts";
import type { Health } from "../../measure/health.ts";
import { type DensityEvent, type DensityState, initialDensityState } from "../density/density-state.ts";
import { stepDensity } from "../density/step-density.ts";
import { type AdviceState, emptyAdviceState, settleState } from "./advice-state.ts";
import {
  type Advice,
  advise,
  composeAdvice,
  confirmSave,
  DEBOUNCE_CALLS,
  isCriticalDue,
  noteCritical,
} from "./advise.ts";
import { type AdviceOptions, assessAdvice } from "./assess-advice.ts";
import { renderCriticalUnsaved } from "./render-advisory.ts";

/** What the protocol is told. */
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

/** Plain data. A door that hears the person speak of density steps `density` itself and puts it back here. */
export interface RedState {
  readonly advice: AdviceState;
  readonly density: DensityState;
  readonly health: Health | undefined;
  /** The tool calls at which a save was asked for and not yet answered. */
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

/** Save, confirm, ask for terse answers where the person lets it, only then say that it is critical. */
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
  // Not counted as said: the next try comes as soon as the debounce allows.
  const noted = { ...noteCritical(state.advice, health, options), isCriticalSaid: false };
  return speak({ ...answered, advice: noted }, [advice], options);
}

/** What is said, after what the level means for the density of answers. */
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
