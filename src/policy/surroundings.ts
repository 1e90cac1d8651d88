import { renderState } from "../survive/project-state/render-state.ts";
import type { StateTexts } from "../survive/project-state/state-files.ts";
import type { ActiveMode } from "./mode/parse-active-mode.ts";
import { renderMemoryIndex } from "./render-memory-index.ts";
import type { RuleFile } from "./rules/fit-rules.ts";

/** What a door finds in the project before it asks the policy. */
export interface Surroundings {
  readonly mode: ActiveMode;
  /** The text of the active mode; `undefined` where its file cannot be read. */
  readonly modeText: string | undefined;
  readonly rules: readonly RuleFile[];
  /** The last plan by name, as a path from the project; empty where there is none. */
  readonly plan: string;
}

export interface ProjectNotes {
  readonly texts: StateTexts;
  readonly hasGit: boolean;
  /** The index of the project's memory, whole; empty where there is none. */
  readonly memory: string;
}

const MAX_NOTES_CHARACTERS = 2000;
/** In steps, because the limit is one of characters and the parts are weighed in tokens. */
const TOKEN_STEPS: readonly number[] = [650, 550, 450, 350, 250];

/** What earlier sessions left in the project: their state, dated entry by entry, and the index of what they learned. */
export function renderNotes(notes: ProjectNotes, nowMs: number): string {
  return [renderEntries(notes, nowMs), renderMemoryIndex(notes.memory)].filter((part) => part !== "").join("\n\n");
}

/** Empty where there is nothing, or nothing fits. */
function renderEntries({ texts, hasGit }: ProjectNotes, nowMs: number): string {
  if (Object.keys(texts).length === 0) return "";
  for (const maxTokens of TOKEN_STEPS) {
    const { text } = renderState(texts, { nowMs, hasGit, maxTokens });
    if (text.length <= MAX_NOTES_CHARACTERS) return text;
  }
  return "";
}
