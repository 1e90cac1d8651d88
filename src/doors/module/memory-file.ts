import { isObject, objectField } from "../../core/json-fields.ts";
import type { PolicyState, Told } from "../../policy/policy-state.ts";
import type { Beside } from "./beside-rows.ts";
import type { Checkpoint } from "./rewound.ts";
import type { WatchState } from "./watch.ts";

/** What was told before the first answer: as the policy knows it, and word for word. */
export interface Standing {
  readonly told: Told;
  readonly text: string;
}

/** What a later process of the same session goes on from. */
export interface Memory {
  readonly watch: WatchState;
  readonly policy: PolicyState;
  readonly standing: Standing | undefined;
  readonly beside: Beside;
  readonly keptAnswers: readonly string[];
  readonly hasAnswered: boolean;
  readonly dueRepair?: string;
}

/** Written with it: a memory of another layout is not read, and the session is followed from here on. */
const VERSION = 3;

export function renderMemory(memory: Memory): string {
  return JSON.stringify({ version: VERSION, ...memory });
}

/** Our own file, by its version: what is torn or older is as good as absent. */
export function parseMemory(text: string): Memory | undefined {
  if (text === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isMemory(value) ? value : undefined;
}

export function parseCheckpoints(text: string): readonly Checkpoint[] {
  try {
    const value: unknown = text === "" ? [] : JSON.parse(text);
    return Array.isArray(value) ? value.filter(isCheckpoint) : [];
  } catch {
    return [];
  }
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (!isObject(value) || typeof value.record !== "string") return false;
  const watch = objectField(value, "watch") ?? {};
  return isObject(watch.session) && isObject(watch.trail);
}

function isMemory(value: unknown): value is Memory {
  if (!isObject(value) || value.version !== VERSION || !isObject(value.policy)) return false;
  if (!isObject(value.beside) || !Array.isArray(value.keptAnswers)) return false;
  if (value.dueRepair !== undefined && typeof value.dueRepair !== "string") return false;
  const watch = objectField(value, "watch") ?? {};
  return isObject(watch.session) && isObject(watch.trail) && isObject(watch.meter);
}
