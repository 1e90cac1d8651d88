import { textField } from "../../../core/json-fields.ts";
import { decidePromptAuthor } from "../../../hosts/claude-code/prompt-author.ts";
import { isAboutContext } from "../../../policy/advice/is-about-context.ts";
import type { Injection } from "../../../policy/injection/injection.ts";
import { decideLimitWarnings } from "../../../policy/rules/rate-limits.ts";
import { renderReminder } from "../../../policy/rules/render-reminder.ts";
import { type Hook, type HookContext, type HookInput, NOTHING } from "../hook.ts";
import { tell } from "../inject.ts";
import { answerAboutContext } from "../inject-answer.ts";
import { hearDensity } from "../inject-density.ts";
import { readLimits } from "../inject-limits.ts";
import { decideMode } from "../inject-mode.ts";
import { findPlan, readRules } from "../inject-rules.ts";
import { readTold, writeTold } from "../inject-told.ts";
import { landRestore } from "../restore.ts";
import { sayLine } from "../say-line.ts";

/** What a prompt has to bring along: a restore that is still due, a changed mode, what the person's own words ask for. */
export const userPromptSubmit: Hook = (input, context) => {
  if (input.agentId !== "") return NOTHING;
  const prompt = textField(input.raw, "prompt");
  const landed = landRestore(input, context);
  const told = readTold(context.folder);
  const mode = decideMode(told.mode, context, undefined);
  const limits = decideLimitWarnings(readLimits(context.folder), told.limits);
  const line = sayLine(input, context, told);
  const next = { ...told, mode: mode.state, limits: limits.said, line: line.saidAt };
  if (JSON.stringify(next) !== JSON.stringify(told)) writeTold(context.folder, next);
  // Notifications of background work come as prompts too; nobody has said anything then.
  const isPerson = prompt !== "" && decidePromptAuthor(prompt) === "person";
  const density = isPerson ? hearDensity(context.folder, prompt) : { injections: [], warnings: [] };
  return tell(input, context, {
    injections: [
      landed.injection,
      { what: "mode", why: "changed", text: mode.injection ?? "" },
      ...density.injections,
      ...limits.warnings.map(({ level, text }): Injection => ({ what: "reminder", why: `rate limit ${level}`, text })),
      ...(isPerson ? listAsked(input, context, prompt) : []),
    ],
    warnings: [
      ...(mode.warning === undefined ? [] : [mode.warning]),
      ...density.warnings,
      ...(line.text === "" ? [] : [line.text]),
      ...limits.warnings.map(({ text }) => text),
    ],
    deeds: landed.deeds,
  });
};

function listAsked(input: HookInput, context: HookContext, prompt: string): readonly Injection[] {
  const reminder: Injection = { what: "reminder", why: "each prompt", text: "" };
  return [
    ...(isAboutContext(prompt) ? [answerAboutContext(input, context)] : []),
    ...(context.settings.remindsEachPrompt
      ? [{ ...reminder, text: renderReminder({ rules: readRules(context), plan: findPlan(context) }) }]
      : []),
  ];
}
