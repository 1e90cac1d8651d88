import { textField } from "../../core/json.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { ran } from "../../policy/steps/ran.ts";
import { findPhase } from "../../session/phase.ts";
import type { HookAnswer, HookContext } from "./hook.ts";
import { findModelId } from "./load/read-load.ts";
import { askPolicy } from "./settle-step.ts";

/** Reminds the model to write tersely, if that is due after this call. */
export function answerAfterCall(context: HookContext, { tool, input, response }: HookCall): Promise<HookAnswer> {
  return askPolicy(context, async (before) => {
    // The phase is needed only in a team that writes tersely, and reading the session takes a while.
    const open = before.red.density.isTeamDense ? (await import("./session-data.ts")).openSessionData : undefined;
    return ran(before, {
      action: claudeCodeVocabulary.interpretCall(tool, input),
      asked: textField(input, "prompt"),
      answeredCharacters: response === undefined ? 0 : JSON.stringify(response).length,
      phase: () => {
        const data = open?.(context);
        return data && findPhase(data.happened().state.phase);
      },
      model: () => findModelId(context),
    });
  });
}
