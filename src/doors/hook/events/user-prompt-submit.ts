import { textField } from "../../../core/json-fields.ts";
import { readProjectState } from "../../../files/project-state.ts";
import { decidePromptAuthor } from "../../../hosts/claude-code/prompt-author.ts";
import { said } from "../../../policy/steps/said.ts";
import { parseLog } from "../../../survive/project-state/entry-log.ts";
import { answerStep } from "../answer-step.ts";
import { assessLoad } from "../assess-load.ts";
import { findModel } from "../find-model.ts";
import { type Hook, NOTHING } from "../hook.ts";
import { readPolicy, writePolicy } from "../policy-files.ts";
import { readLimits } from "../read-limits.ts";
import { readHere } from "../read-project.ts";
import { landRestore } from "../restore.ts";
import { openSessionData } from "../session-data.ts";

/** A prompt is on its way; notifications of background work come as prompts, too, and nobody has said anything then. */
export const userPromptSubmit: Hook = async (input, context) => {
  if (input.agentId !== "") return NOTHING;
  const words = textField(input.raw, "prompt");
  const landed = landRestore(input, context);
  const before = readPolicy(context.folder);
  const step = said(
    before,
    {
      prompt: decidePromptAuthor(words) === "person" ? words : "",
      surroundings: await readHere(context),
      limits: readLimits(context.folder),
      first: [landed.injection],
      health: () => assessLoad(input, context).health,
      happened: () => openSessionData(input, context)?.happened(),
      savedDecisions: () => parseLog(readProjectState(context.project).texts["decisions.md"] ?? "").entries.length,
      baseTokens: () => openSessionData(input, context)?.meter().baseTokens,
      model: () => findModel(input, context),
    },
    context.settings,
  );
  writePolicy(context.folder, before, step.state);
  return answerStep(step.commands, landed.deeds);
};
