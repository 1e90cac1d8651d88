import type { JsonObject } from "../../core/json.ts";
import { textField } from "../../core/json-fields.ts";
import { renderPacketAnswer } from "../../survive/packet/build-packet.ts";
import { draftPacket } from "../../survive/packet/draft-packet.ts";
import type { ServerSession } from "./server-session.ts";

/** A packet for a subagent, or what keeps it from being sent. */
export function renderPacket(session: ServerSession, input: JsonObject): string {
  const followed = session.follow();
  if (followed === undefined) return "Nothing is recorded of this session yet.";
  const packet = draftPacket(followed.session, { task: textField(input, "task") }, { root: session.place.project });
  return renderPacketAnswer(packet);
}
