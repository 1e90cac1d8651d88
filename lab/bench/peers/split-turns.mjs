/**
 * The conversation as most agent libraries have it: an answer, then its results, then what the person said. What a client
 * injects next to results rides with the last of them, as it does in the client; otherwise a reminder would count as a message.
 *
 * @typedef {import("./change.ts").SentBlock} SentBlock
 * @typedef {{ role: "assistant" | "user", blocks: SentBlock[] } | { role: "tool", results: SentBlock[], riders: SentBlock[] }} Turn
 * @param {readonly import("./change.ts").SentMessage[]} messages what joined with one request
 * @returns {Turn[]}
 */
export function splitTurns(messages) {
  const turns = [];
  let arrived = [];
  const close = () => {
    const results = arrived.filter(({ kind }) => kind === "toolResult");
    const others = arrived.filter(({ kind }) => kind !== "toolResult");
    const isRider = ({ author }) => results.length > 0 && author !== "person";
    if (results.length > 0) turns.push({ role: "tool", results, riders: others.filter(isRider) });
    const said = others.filter((block) => !isRider(block));
    if (said.length > 0) turns.push({ role: "user", blocks: said });
    arrived = [];
  };
  for (const { role, blocks } of messages) {
    if (role !== "assistant") {
      arrived.push(...blocks);
      continue;
    }
    close();
    turns.push({ role: "assistant", blocks: [...blocks] });
  }
  close();
  return turns;
}

/** Names of tools by call, because a result does not carry its own. */
export function createToolNames() {
  const names = new Map();
  return {
    learn(blocks) {
      for (const { kind, callId, tool } of blocks) if (kind === "toolCall") names.set(callId, tool);
    },
    of: (callId) => names.get(callId) ?? "unknown",
  };
}
