import type { Level } from "../../measure/level.ts";
import type { DensityException } from "./classify-exception.ts";

export type DensityMode = "caveman" | "normal";

/** Broadcast at every change of density. Nothing else changes it, and listening is optional. */
export interface DensityEvent {
  readonly type: "output.density.set";
  readonly mode: DensityMode;
  /** The whole session, a team's summary, or one workstream of a team. */
  readonly scope: "session" | "team" | `workstream:${string}`;
  /** `context-green` is the release after a compaction. */
  readonly source: "context-orange" | "context-red" | "context-green" | "user" | "workstream" | "team";
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
  /** The last phase of a team's work, the fifth, is over. */
  | { readonly kind: "teamEnded" };
