import { isObject, type Json, type JsonObject, listField, parseObject } from "../../core/json.ts";
import type { InjectionState, PolicyState } from "../../policy/policy-state.ts";
import type { WatchCheckpoint } from "./compaction/rewound.ts";
import type { RowExtras } from "./compaction/row-extras.ts";
import type { WatchState } from "./watch.ts";

/** What is known of the conversation in addition to what the client reports. */
export interface KnownConversation {
  readonly beside: RowExtras;
  /** Rows of an answer that was in the middle of a turn when it was compacted; a resumed session finds them twice. */
  readonly keptAnswers: readonly string[];
  /** A record of ours is in it, or was. */
  readonly hasAnswered: boolean;
  readonly checkpoints: readonly WatchCheckpoint[];
}

export interface Memory extends Omit<KnownConversation, "checkpoints"> {
  readonly watch: WatchState;
  readonly policy: PolicyState;
  readonly standing: InjectionState | undefined;
  readonly dueRepair?: string;
  /** Tools that wait behind the tool search: a resumed session sends the tools that it began with. */
  readonly deferred?: readonly string[];
  /** The last note in the model's own words. */
  readonly note?: string;
  /** Where the client would compact: a transcript alone only shows where it did. */
  readonly lineTokens?: number;
}

/** A file of another layout is ignored, and the session is followed from here on. */
const VERSION = 4;

export function renderMemoryFile(memory: Memory): string {
  return JSON.stringify({ version: VERSION, ...memory });
}

/** Our own file; a torn or older one is ignored. */
export function parseMemory(text: string): Memory | undefined {
  const value: unknown = parseVersioned(text);
  return isMemory(value) ? value : undefined;
}

export function renderCheckpoints(checkpoints: readonly WatchCheckpoint[]): string {
  return JSON.stringify({ version: VERSION, checkpoints });
}

export function parseCheckpoints(text: string): readonly WatchCheckpoint[] {
  const saved: readonly unknown[] = listField(parseVersioned(text), "checkpoints");
  return saved.filter(isCheckpoint);
}

function parseVersioned(text: string): JsonObject {
  const value = parseObject(text);
  return value.version === VERSION ? value : {};
}

function isCheckpoint(value: unknown): value is WatchCheckpoint {
  return isObject(value) && typeof value.record === "string" && isWatch(value.watch);
}

function isMemory(value: unknown): value is Memory {
  if (!isObject(value) || !isObject(value.policy) || !isObject(value.beside)) return false;
  const { keptAnswers, dueRepair = "", deferred = [], note = "", lineTokens = 0, watch } = value;
  if (!Array.isArray(deferred) || !deferred.every((name) => typeof name === "string")) return false;
  if (typeof dueRepair !== "string" || typeof note !== "string" || typeof lineTokens !== "number") return false;
  return Array.isArray(keptAnswers) && isWatch(watch) && isObject(watch.meter);
}

function isWatch(value: Json | undefined): value is JsonObject {
  return isObject(value) && isObject(value.session) && isObject(value.trail);
}
