import type { Action } from "./action.ts";
import type { Happening, Tracker } from "./happening.ts";
import { isTestCommand } from "./test-command.ts";

export type Phase = "research" | "planning" | "implementation" | "debug" | "quality" | "verify" | "commit";

export const PHASES: readonly Phase[] = [
  "research",
  "planning",
  "implementation",
  "debug",
  "quality",
  "verify",
  "commit",
];

export interface PhaseState {
  readonly phase: Phase;
  /** The last actions, as the phases they speak for. */
  readonly recent: readonly Phase[];
  /** Whether the last command failed: what follows is for finding out why. */
  readonly hasOpenFailure: boolean;
  /** What somebody who knows better said; believed until it is withdrawn. */
  readonly overridden?: Phase | undefined;
}

const LOOK_BACK = 8;
const COMMIT = /\bgit (?:commit|push|merge|tag)\b|\bgh pr (?:create|merge)\b/;
const QUALITY = /\b(?:lint|eslint|biome|prettier|gofmt|clippy|ruff|mypy|tsc|golangci-lint|format)\b/;

/** Guessed from what the last actions were for; who knows better says so and is believed. */
export function createPhaseTracker(
  saved: PhaseState = { phase: "research", recent: [], hasOpenFailure: false },
): Tracker<PhaseState> {
  let recent = [...saved.recent];
  let { hasOpenFailure } = saved;
  const { overridden } = saved;
  return {
    follow(happening: Happening) {
      if (happening.kind === "asked") hasOpenFailure = false;
      if (happening.kind !== "outcome") return;
      const { action, outcome } = happening;
      if (action.kind === "run") hasOpenFailure = outcome.isError || (outcome.exitCode ?? 0) !== 0;
      const phase = speakFor(action, hasOpenFailure);
      if (phase) recent = [...recent, phase].slice(-LOOK_BACK);
    },
    state: () => ({
      phase: overridden ?? decidePhase(recent),
      recent,
      hasOpenFailure,
      ...(overridden && { overridden }),
    }),
  };
}

/** The state as somebody who knows better wants it read; `undefined` goes back to guessing. */
export function overridePhase(state: PhaseState, overridden: Phase | undefined): PhaseState {
  const { recent, hasOpenFailure } = state;
  return { phase: overridden ?? decidePhase(recent), recent, hasOpenFailure, ...(overridden && { overridden }) };
}

function speakFor(action: Action, hasOpenFailure: boolean): Phase | undefined {
  switch (action.kind) {
    case "read":
    case "search":
    case "fetch":
    case "delegate":
      return hasOpenFailure ? "debug" : "research";
    case "createTask":
    case "replaceTodos":
    case "proposePlan":
    case "ask":
      return "planning";
    case "write":
    case "edit":
      return hasOpenFailure ? "debug" : "implementation";
    case "run":
      return speakForCommand(classifyCommand(action.command), hasOpenFailure);
    default:
      return undefined;
  }
}

/** What a command is for, where it is one of the three that end a piece of work. */
export function classifyCommand(command: string): "commit" | "verify" | "quality" | undefined {
  if (COMMIT.test(command)) return "commit";
  if (isTestCommand(command)) return "verify";
  return QUALITY.test(command) ? "quality" : undefined;
}

function speakForCommand(purpose: ReturnType<typeof classifyCommand>, hasOpenFailure: boolean): Phase | undefined {
  if (purpose === "commit" || purpose === "quality") return purpose;
  return hasOpenFailure ? "debug" : purpose;
}

/** The newest action weighs most: a commit ends a phase at once, a single look-up does not. */
function decidePhase(recent: readonly Phase[]): Phase {
  const last = recent.at(-1);
  if (last === undefined) return "research";
  if (last === "commit" || last === "verify") return last;
  const weights = new Map<Phase, number>();
  for (const [index, phase] of recent.entries()) weights.set(phase, (weights.get(phase) ?? 0) + index + 1);
  return [...weights].sort(([, left], [, right]) => right - left)[0]?.[0] ?? last;
}
