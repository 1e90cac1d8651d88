import { isObject } from "../../core/json.ts";
import type { Level } from "../../measure/level.ts";
import type { DensityException } from "./classify-exception.ts";

export type DensityMode = "caveman" | "normal";

/** The whole session, a team's summary, or one workstream of a team. */
export type DensityScope = "session" | "team" | `workstream:${string}`;

/** `context-green` is the release after a compaction. */
const SOURCES = ["context-orange", "context-red", "context-green", "user", "workstream", "team"] as const;
export type DensitySource = (typeof SOURCES)[number];

/** Broadcast at every change of density. Nothing else changes it, and listening is optional. */
export interface DensityEvent {
  readonly type: "output.density.set";
  readonly mode: DensityMode;
  readonly scope: DensityScope;
  readonly source: DensitySource;
}

export function createDensityEvent(mode: DensityMode, scope: DensityScope, source: DensitySource): DensityEvent {
  return { type: "output.density.set", mode, scope, source };
}

/** Parses an event from a log or another tool; `undefined` if it is not one. */
export function parseDensityEvent(value: unknown): DensityEvent | undefined {
  if (!isObject(value)) return undefined;
  const { type, mode, scope } = value;
  const source = SOURCES.find((name) => name === value.source);
  if (type !== "output.density.set" || (mode !== "caveman" && mode !== "normal")) return undefined;
  if (source === undefined || !isScope(scope)) return undefined;
  return { type, mode, scope, source };
}

function isScope(scope: unknown): scope is DensityScope {
  return scope === "session" || scope === "team" || (typeof scope === "string" && /^workstream:./.test(scope));
}

/** Plain data that lives as long as its session. Density is never a project setting. */
export interface DensityState {
  /** The user's own choice, which wins until they change it. */
  readonly manual: DensityMode | null;
  /** What the level switched on, if the user allows it (`density: "auto"`), until a compaction brings the level back to GREEN. */
  readonly auto: "context-orange" | "context-red" | null;
  readonly hasCompactedSince: boolean;
  readonly level: Level;
  readonly workstreams: Readonly<Record<string, DensityMode>>;
  readonly isTeamDense: boolean;
  /** Responses in the current task. The first one is always written in full. */
  readonly responsesInTask: number;
  /** Work items that were finished when the user last wrote. */
  readonly tasksDone?: number;
  readonly exception: DensityException | null;
  /** Hash of the last prompt: it detects a repeated question without storing the question. */
  readonly lastPrompt: string | null;
}

export const initialDensityState: DensityState = {
  manual: null,
  auto: null,
  hasCompactedSince: false,
  level: "GREEN",
  workstreams: {},
  isTeamDense: false,
  responsesInTask: 0,
  exception: null,
  lastPrompt: null,
};

export type DensitySignal =
  /** `isAuto`: the user lets the level switch terse writing on; otherwise only their own words do. */
  | { readonly kind: "level"; readonly level: Level; readonly isAuto?: boolean }
  /** The level after the compaction, if known. */
  | { readonly kind: "compaction"; readonly level: Level | undefined }
  | { readonly kind: "prompt"; readonly text: string; readonly startsTask: boolean }
  /** The next response must be written in full. */
  | { readonly kind: "exception"; readonly exception: DensityException }
  | { readonly kind: "responded" }
  | { readonly kind: "workstream"; readonly id: string; readonly mode: DensityMode }
  | { readonly kind: "phaseEnded"; readonly phase: number };

export interface DensityStep {
  readonly state: DensityState;
  readonly events: readonly DensityEvent[];
  readonly injections: readonly string[];
  readonly warnings: readonly string[];
}

export function decideDensity(state: DensityState, scope: DensityScope = "session"): DensityMode {
  return state.responsesInTask === 0 || state.exception !== null ? "normal" : chooseMode(state, scope);
}

/** The current choice, before exceptions for a single response. */
export function chooseMode(state: DensityState, scope: DensityScope): DensityMode {
  if (state.manual !== null) return state.manual;
  const own = scope.startsWith("workstream:") ? findOwn(state, scope.slice("workstream:".length)) : undefined;
  if (own !== undefined) return own;
  return (scope === "team" && state.isTeamDense) || state.auto !== null ? "caveman" : "normal";
}

/** Only own properties count, because a workstream may be called `constructor`. */
export function findOwn({ workstreams }: DensityState, id: string): DensityMode | undefined {
  return Object.hasOwn(workstreams, id) ? workstreams[id] : undefined;
}
