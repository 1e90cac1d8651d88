import { isInstructionFile } from "../../layers/history/vocabulary.ts";
import { type BlockQuestion, decideBlock } from "../advice/decide-block.ts";
import { type PolicyCommand, type PolicyStep, stay } from "../command.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { nameInProject } from "./document-changed.ts";
import type { LoopMoment } from "./looped.ts";
import { measured } from "./measured.ts";

export interface Called extends LoopMoment, Pick<BlockQuestion, "isOverridden"> {
  readonly tool: string;
  /** The host knows the tool as read-only, in case the action does not show it. */
  readonly isLook: boolean;
  readonly project: string;
}

/** Refuses the call if the window is measured to be nearly full and the user asked for that. The session's state is saved before the first refusal. */
export function called(state: PolicyState, event: Called, settings: Settings): PolicyStep {
  if (!settings.blocksAtRed) return stay(state);
  const { health } = event;
  const { state: block, why } = decideBlock(state.block, { ...event, purpose: decidePurpose(event) });
  if (why === undefined) return stay({ ...state, block });
  const refusal: readonly PolicyCommand[] = [
    { kind: "note", action: { kind: "blocked", tool: event.tool, why } },
    { kind: "refuse", why },
  ];
  if (block.refusals > 1) return { state: { ...state, block }, commands: refusal };
  const said = measured({ ...state, block }, { health, model: () => health.model }, settings);
  const isSaving = said.commands.some(({ kind }) => kind === "save");
  return {
    state: said.state,
    commands: [...said.commands, ...(isSaving ? [] : [{ kind: "save" } as const]), ...refusal],
  };
}

function decidePurpose({ action, isLook, project }: Called): BlockQuestion["purpose"] {
  switch (action.kind) {
    case "read":
    case "search":
    case "fetch":
    case "listTasks":
    case "ask":
      return "look";
    case "createTask":
    case "updateTask":
    case "replaceTodos":
    case "proposePlan":
      return "save";
    case "write":
    case "edit":
      return nameInProject(action.path, project)?.startsWith(".plimsoll/") || isInstructionFile(action.path)
        ? "save"
        : "other";
    case "run":
      return /^\s*(?:npx )?plimsoll\s/.test(action.command) ? "save" : "other";
    default:
      return isLook ? "look" : "other";
  }
}
