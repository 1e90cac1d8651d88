import type { PolicyCommand } from "../../policy/command.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import type { HookAnswer } from "./hook.ts";

/** Commands as what the client takes of one hook. A save is performed before, by whoever asked for the step. */
export function answerStep(commands: readonly PolicyCommand[], deeds: readonly DeedDetail[] = []): HookAnswer {
  const texts = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  const warnings = commands.flatMap((command) => (command.kind === "warn" ? [`plimsoll: ${command.text}`] : []));
  const refusal = commands.find((command) => command.kind === "refuse");
  const output = {
    ...(texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") }),
    ...(refusal ? { permissionDecision: "deny", permissionDecisionReason: refusal.why } : {}),
  };
  return {
    ...(Object.keys(output).length === 0 ? {} : { output }),
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.join("\n") }),
    deeds: [...deeds, ...commands.flatMap((command) => (command.kind === "note" ? [command.deed] : []))],
  };
}
