import type { Message } from "../../src/core/message.ts";

/**
 * The calls without result and results without call that a provider would refuse, told from the wire's rule alone: the calls
 * of an assistant turn are answered in the user turn right after it, and nowhere else. A turn is a row of messages of one
 * role; system messages stand outside. Written without the core's own rules, so that tests can hold those against it.
 */
export function findOrphans(messages: readonly Message[]): readonly string[] {
  const turns: Message[][] = [];
  for (const message of messages.filter(({ role }) => role !== "system")) {
    const turn = turns.at(-1);
    if (turn?.[0]?.role === message.role) turn.push(message);
    else turns.push([message]);
  }
  return turns.flatMap((turn, index) => {
    const calls = callIds(turn, "toolCall").filter((id) => !callIds(turns[index + 1], "toolResult").includes(id));
    const results = callIds(turn, "toolResult").filter((id) => !callIds(turns[index - 1], "toolCall").includes(id));
    return [...calls.map((id) => `call ${id}`), ...results.map((id) => `result ${id}`)];
  });
}

function callIds(turn: readonly Message[] | undefined, kind: "toolCall" | "toolResult"): readonly string[] {
  const blocks = turn?.flatMap((message) => message.blocks) ?? [];
  return blocks.flatMap((block) => ("callId" in block && block.kind === kind ? [block.callId] : []));
}
