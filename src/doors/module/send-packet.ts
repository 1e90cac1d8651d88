import type { JsonObject } from "../../core/json.ts";
import { textField } from "../../core/json-fields.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { delegated } from "../../policy/steps/delegated.ts";
import type { Live } from "./live.ts";
import { modelOf } from "./perform.ts";

/** The call that starts a subagent, with a packet behind its prompt where a person has asked for that; any other call as it is. */
export function sendPacket(live: Live, e: JsonObject): JsonObject {
  if (!live.settings.sendsPackets) return e;
  const action = claudeCodeVocabulary.interpretCall(textField(e, "tool"), e);
  if (action.kind !== "delegate") return e;
  const { state } = live.watch.happened();
  const commands = delegated(
    { task: textField(e, "description"), state, root: live.root, model: () => modelOf(live) },
    live.settings,
  );
  const told = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  for (const command of commands) if (command.kind === "note") live.journal.note("tool.call", command.deed);
  return told.length === 0 ? e : { ...e, prompt: [textField(e, "prompt"), ...told].join("\n\n") };
}
