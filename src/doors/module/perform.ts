import { chain, type Step } from "../../policy/command.ts";
import { saved } from "../../policy/steps/measured.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";
import { saveProject } from "./save-project.ts";

/** Does what the policy says. What is told becomes a row at the end of the conversation: everything before it stays cached. */
export async function perform($: Engine, live: Live, step: Step): Promise<void> {
  const text = await settle($, live, step);
  if (text !== "") await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

/** The same for whoever has a place of its own for what is to be told; empty for nothing. */
export async function settle($: Engine, live: Live, given: Step): Promise<string> {
  let step = given;
  if (step.commands.some(({ kind }) => kind === "save")) {
    const why = await saveProject($, live);
    step = chain(step, (state) => saved(state, { why, model: () => modelOf(live) }, live.settings));
  }
  live.policy = step.state;
  const texts: string[] = [];
  for (const command of step.commands) {
    if (command.kind === "tell") texts.push(command.text);
    if (command.kind === "note") live.journal.note("session.append", command.deed);
    if (command.kind === "warn") $.ui.log(command.text);
  }
  return texts.join("\n\n");
}

export function modelOf({ watch }: Live): string {
  return watch.health().model;
}
