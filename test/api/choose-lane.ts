import { blocksOf, type Message, type MessagesBody } from "./messages-body.ts";
import type { LaneName } from "./scenario.ts";

/** One conversation: its lane, and for subagents which of them. */
export interface Lane {
  readonly name: LaneName;
  /** Empty outside the subagent lane. */
  readonly agentId: string;
}

/**
 * Tells which conversation a request belongs to. What the client and Plimsoll ask over a whole conversation is looked for
 * first: the client's forked summarizer carries an agent id as well.
 */
export function chooseLane(body: MessagesBody, headers: Readonly<Record<string, string>>): Lane {
  const question = textOf(body.messages.findLast((message) => message.role === "user"));
  if (isCompaction(question)) return { name: "compaction", agentId: "" };
  if (question.includes("Write the note that the record cannot")) return { name: "note", agentId: "" };
  const agentId = headers["x-claude-code-agent-id"];
  if (agentId !== undefined) return { name: "subagent", agentId };
  if (isMarkedSubagent(body)) return { name: "subagent", agentId: firstUserText(body) };
  return { name: "main", agentId: "" };
}

/** On newer models a message of role system may follow the prompt that asks for the summary. */
function isCompaction(prompt: string): boolean {
  return prompt.includes("CRITICAL: Respond with TEXT ONLY") && prompt.includes("create a detailed summary");
}

function isMarkedSubagent(body: MessagesBody): boolean {
  return body.system.some((block) => String(block.text ?? "").includes("cc_is_subagent=true"));
}

/** Clients that send no agent id are told apart by the task they were given. */
function firstUserText(body: MessagesBody): string {
  return textOf(body.messages.find((message) => message.role === "user")).slice(0, 2000);
}

function textOf(message: Message | undefined): string {
  if (message === undefined) return "";
  return blocksOf(message.content)
    .map((block) => (typeof block.text === "string" ? block.text : ""))
    .join("\n");
}
