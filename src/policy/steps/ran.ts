import type { Action } from "../../session/action.ts";
import type { Phase } from "../../session/phase.ts";
import { chain, type PolicyStep, stay } from "../command.ts";
import { classifyException } from "../density/classify-exception.ts";
import type { DensitySignal } from "../density/density-state.ts";
import { detectDensityRequest, followDensity } from "../density/step-density.ts";
import { sayDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";

export interface Ran {
  readonly action: Action;
  /** The worker's full prompt; an action only has its title. */
  readonly asked: string;
  /** Characters of the worker's report; absent if it is not back. */
  readonly answeredCharacters?: number;
  /** The current phase of the work, if it is plain. Called only if a team writes tersely. */
  readonly phase: () => Phase | undefined;
  readonly model: () => string;
}

/** Phases after a team's fifth phase, quality. */
const PAST_QUALITY: readonly Phase[] = ["verify", "commit"];

/** What a call means for density: explain an irreversible command in full, treat a terse worker as a terse workstream, end scopes with their phase. */
export function ran(state: PolicyState, event: Ran): PolicyStep {
  const signal = findSignal(state, event);
  if (signal === undefined) return stay(state);
  const why = signal.kind === "exception" ? signal.exception : signal.kind;
  const { state: next, list, commands } = followDensity(state, signal, why);
  return chain(sayDue(next, list, event.model), (said) => ({ state: said, commands }));
}

/** A report of a worker above this is over its budget: about 4,000 tokens. */
const WORKER_BUDGET_CHARACTERS = 14_000;

/** A worker's own words decide. Otherwise a report over the budget makes its workstream terse, and the next one within it ends that. */
function findWorkstream({ red }: PolicyState, { asked, answeredCharacters = 0 }: Ran): DensitySignal | undefined {
  // A worker is identified by its prompt: the same prompt is the same workstream.
  const id = asked.replace(/\s+/g, " ").trim().slice(0, MAX_NAME_CHARACTERS);
  const isOver = answeredCharacters > WORKER_BUDGET_CHARACTERS;
  const isEnded = answeredCharacters > 0 && red.density.workstreams[id] === "caveman";
  const mode = detectDensityRequest(asked) ?? (isOver ? "caveman" : isEnded ? "normal" : undefined);
  return mode && id !== "" ? { kind: "workstream", id, mode } : undefined;
}

function findSignal(state: PolicyState, event: Ran): DensitySignal | undefined {
  const { red } = state;
  const { action, phase } = event;
  if (action.kind === "delegate") return findWorkstream(state, event);
  if (action.kind !== "run") return undefined;
  const now = red.density.isTeamDense ? phase() : undefined;
  if (now !== undefined && PAST_QUALITY.includes(now)) return { kind: "teamEnded" };
  const exception = classifyException({ prompt: "", pendingCommands: [action.command] });
  return exception && { kind: "exception", exception };
}

const MAX_NAME_CHARACTERS = 60;
