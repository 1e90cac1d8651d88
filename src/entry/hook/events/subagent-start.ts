import { textField } from "../../../core/json.ts";
import { type Hook, NOTHING } from "../hook.ts";

/** A subagent has a window of its own, and gets text only if a person has asked for that. */
export const subagentStart: Hook = async (context) => {
  // The fork that writes a summary has no type.
  if (!context.settings.sendsPackets || textField(context.raw, "agent_type") === "") return NOTHING;
  const { sendPacket } = await import("../send-packet.ts");
  return sendPacket(context);
};
