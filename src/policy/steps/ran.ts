import type { Action } from "../../session/action.ts";
import type { Phase } from "../../session/phase.ts";
import { type PolicyStep, stay } from "../command.ts";
import { classifyException } from "../density/classify-exception.ts";
import type { DensitySignal } from "../density/density-state.ts";
import { detectDensityRequest, stepDensity } from "../density/step-density.ts";
import { due, tellDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import { noteSignals } from "./measured.ts";

export interface Ran {
  readonly action: Action;
  /** The worker's full prompt; an action only has its title. */
  readonly asked: string;
  /** The current phase of the work. Called only if a team writes tersely. */
  readonly phase: () => Phase;
  readonly model: () => string;
}

/** Phases after a team's fifth phase, quality. */
const PAST_QUALITY: readonly Phase[] = ["verify", "commit"];

/** What a call means for density: explain an irreversible command in full, treat a terse worker as a terse workstream, end scopes with their phase. */
export function ran(state: PolicyState, event: Ran): PolicyStep {
  const signal = findSignal(state, event);
  const { model } = event;
  if (signal === undefined) return stay(state);
  const { state: density, events, injections } = stepDensity(state.red.density, signal);
  const why = signal.kind === "exception" ? signal.exception : signal.kind;
  const told = tellDue(
    { ...state, red: { ...state.red, density } },
    injections.map((text) => due("density", why, text)),
    model,
  );
  return { state: told.state, commands: [...told.commands, ...noteSignals(events)] };
}

function findSignal({ red }: PolicyState, { action, asked, phase }: Ran): DensitySignal | undefined {
  if (action.kind === "delegate") {
    const mode = detectDensityRequest(asked);
    // A worker is identified by its prompt: the same prompt is the same workstream.
    return mode && { kind: "workstream", id: asked.replace(/\s+/g, " ").trim().slice(0, MAX_NAME_CHARACTERS), mode };
  }
  if (action.kind !== "run") return undefined;
  if (red.density.isTeamDense && PAST_QUALITY.includes(phase())) return { kind: "phaseEnded", phase: 5 };
  const exception = classifyException({ prompt: "", pendingCommands: [action.command] });
  return exception && { kind: "exception", exception };
}

const MAX_NAME_CHARACTERS = 60;
