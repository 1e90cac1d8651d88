import { readProjectState } from "../../files/project-state.ts";
import { renderState } from "../../survive/project-state/render-state.ts";
import type { HookContext } from "./hook.ts";

const MAX_CHARACTERS = 2000;
/** In steps, because the limit is one of characters and the parts are weighed in tokens. */
const TOKEN_STEPS: readonly number[] = [650, 550, 450, 350, 250];

/** What earlier sessions left in the project, dated entry by entry; empty where there is nothing, or nothing fits. */
export function renderProjectState({ project, nowMs }: HookContext): string {
  if (project === "") return "";
  const { texts, hasGit } = readProjectState(project);
  if (Object.keys(texts).length === 0) return "";
  for (const maxTokens of TOKEN_STEPS) {
    const { text } = renderState(texts, { nowMs: nowMs(), hasGit, maxTokens });
    if (text.length <= MAX_CHARACTERS) return text;
  }
  return "";
}
