import { type DensityState, initialDensityState } from "../../policy/density/density-state.ts";
import { initialModeState, type ModeState } from "../../policy/mode/decide-mode-injection.ts";
import type { SaidLimits } from "../../policy/rules/rate-limits.ts";

/** What the window has been told. Plain data, and all there is to it. */
export interface Told {
  readonly mode: ModeState;
  readonly density: DensityState;
  /** Hash of the rules that stand in the window; empty for none. */
  readonly rules: string;
  readonly hasState: boolean;
  readonly hasDocs: boolean;
  readonly limits: SaidLimits;
}

export const NOTHING_TOLD: Told = {
  mode: initialModeState,
  density: initialDensityState,
  rules: "",
  hasState: false,
  hasDocs: false,
  limits: {},
};
