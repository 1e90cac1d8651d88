import type { SessionState } from "../../session/session.ts";
import { draftPacket } from "../../survive/packet/draft-packet.ts";
import type { PolicyCommand } from "../command.ts";
import { describeInjection } from "../injection/compose-injections.ts";
import type { Settings } from "../settings/settings.ts";

export interface Delegated {
  readonly task: string;
  readonly state: SessionState;
  readonly root: string;
  readonly model: () => string;
}

const LEAD = "Context from the transcript of the session that started you. Your own prompt takes precedence.";

/** What a subagent is told about its session, if the user switched that on and there is something to tell. */
export function delegated(
  { task, state, root, model }: Delegated,
  { sendsPackets }: Settings,
): readonly PolicyCommand[] {
  if (!sendsPackets) return [];
  const { text } = draftPacket(state, { task: task === "" ? "Do what your prompt says" : task }, { root });
  // Without a decision, a demand or a failure, a packet only repeats the prompt.
  if (text === undefined || !/^- (?!\[ \])/m.test(text)) return [];
  const injection = { what: "packet", why: "subagent", text: `${LEAD}\n\n${text}` } as const;
  return [
    { kind: "tell", text: injection.text },
    { kind: "note", action: describeInjection(injection, model()) },
  ];
}
