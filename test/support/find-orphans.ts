import type { Message } from "../../src/core/message.ts";

/**
 * The calls without result and results without call that a provider would refuse, told from the wire's rule alone: the calls
 * of an assistant row are answered in the user row right after it, and nowhere else. A row is what stands together of one
 * role; system messages stand outside. Written without the core's own rules, so that tests can hold those against it.
 */
export function findOrphans(messages: readonly Message[]): readonly string[] {
  const rows: Message[][] = [];
  for (const message of messages.filter(({ role }) => role !== "system")) {
    const row = rows.at(-1);
    if (row?.[0]?.role === message.role) row.push(message);
    else rows.push([message]);
  }
  return rows.flatMap((row, index) => {
    const calls = callIds(row, "toolCall").filter((id) => !callIds(rows[index + 1], "toolResult").includes(id));
    const results = callIds(row, "toolResult").filter((id) => !callIds(rows[index - 1], "toolCall").includes(id));
    return [...calls.map((id) => `call ${id}`), ...results.map((id) => `result ${id}`)];
  });
}

function callIds(row: readonly Message[] | undefined, kind: "toolCall" | "toolResult"): readonly string[] {
  const blocks = row?.flatMap((message) => message.blocks) ?? [];
  return blocks.flatMap((block) => ("callId" in block && block.kind === kind ? [block.callId] : []));
}
