import type { ActiveMode, Mode } from "./parse-active-mode.ts";

/** What a session was told so far. Plain data, saved as JSON between decisions. */
export interface ModeState {
  /** The mode whose rules are in the window. */
  readonly told: Mode | null;
  /** The last warning given, so that one bad file causes one warning. */
  readonly warned: string | null;
}

export const initialModeState: ModeState = { told: null, warned: null };

export interface ModeDecision {
  readonly state: ModeState;
  /** Text for the model; `undefined` for none. */
  readonly injection: string | undefined;
  /** For the user, never for the model: it may quote someone else's file. */
  readonly warning: string | undefined;
}

/** The rules are injected once per window, and once per change in it. `text` is that of the active mode; `undefined` if its file cannot be read. */
export function decideModeInjection(known: ModeState, active: ActiveMode, text: string | undefined): ModeDecision {
  if (active.kind === "rejected") return warn(known, active.warning);
  if (active.kind === "none") return release(known);
  if (active.mode === known.told) return { state: known, injection: undefined, warning: undefined };
  if (text === undefined) return warn(known, `the rules of ${active.mode} mode cannot be read: reinstall plimsoll`);
  return {
    state: { told: active.mode, warned: null },
    injection: `=== Active Context: ${active.mode} mode ===\n${known.told ? `This replaces ${known.told} mode.\n` : ""}${text.trim()}`,
    warning: undefined,
  };
}

/** A bad file changes nothing: the rules in the window hold until a known mode or none is set. */
function warn(state: ModeState, warning: string): ModeDecision {
  return {
    state: { ...state, warned: warning },
    injection: undefined,
    warning: state.warned === warning ? undefined : warning,
  };
}

/** Rules in the window keep working until the model is told otherwise. */
function release({ told: saidMode }: ModeState): ModeDecision {
  const injection =
    saidMode === null ? undefined : `=== Active Context: none ===\nThe rules of ${saidMode} mode no longer apply.`;
  return { state: initialModeState, injection, warning: undefined };
}
