import { blocksOf, type ContentBlock, type Message, type MessagesBody } from "./messages-body.ts";

/** A rule of the Messages API that a request breaks; the real API would answer it with a 400. */
export interface Violation {
  readonly rule:
    | "first_role"
    | "unknown_role"
    | "empty_content"
    | "unknown_block"
    | "result_without_call"
    | "call_without_result"
    | "duplicate_call"
    | "duplicate_result"
    | "result_not_first"
    | "last_role"
    | "lost_result"
    | "repeated_text"
    | "wrong_mark"
    | "thinking_changed";
  /** Where, in the API's own notation: `messages.3.content.0`. */
  readonly at: string;
  readonly detail: string;
}

const ROLES: ReadonlySet<string> = new Set(["user", "assistant", "system"]);

const BLOCK_TYPES: ReadonlySet<string> = new Set([
  "text",
  "image",
  "document",
  "search_result",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "tool_result",
  "server_tool_use",
  "mcp_tool_use",
  "mcp_tool_result",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "tool_reference",
  "container_upload",
  "compaction",
]);

/** Empty when the API would take the request. */
export function validateMessages(body: Pick<MessagesBody, "messages">): readonly Violation[] {
  return [...validateShape(body.messages), ...validatePairs(body.messages)];
}

function validateShape(messages: readonly Message[]): readonly Violation[] {
  const found: Violation[] = [];
  if (messages[0]?.role !== "user") {
    found.push({ rule: "first_role", at: "messages.0", detail: `first role is ${messages[0]?.role ?? "missing"}` });
  }
  for (const [index, message] of messages.entries()) {
    const at = `messages.${index}`;
    if (!ROLES.has(message.role)) found.push({ rule: "unknown_role", at, detail: message.role });
    const blocks = blocksOf(message.content);
    // The client itself, without any plugin, sends an empty system message after a compaction (seen in 2.1.325).
    if (blocks.length === 0 && message.role !== "system")
      found.push({ rule: "empty_content", at, detail: "no content blocks" });
    for (const [blockIndex, block] of blocks.entries())
      found.push(...validateBlock(block, `${at}.content.${blockIndex}`));
  }
  return found;
}

function validateBlock(block: ContentBlock, at: string): readonly Violation[] {
  if (!BLOCK_TYPES.has(block.type)) return [{ rule: "unknown_block", at, detail: block.type }];
  if (block.type === "text" && block.text === "") return [{ rule: "empty_content", at, detail: "empty text" }];
  return [];
}

/** Between a call and its result the API allows nothing of the assistant; messages of role system stand outside the pairing. */
function validatePairs(messages: readonly Message[]): readonly Violation[] {
  const found: Violation[] = [];
  const seen = new Set<string>();
  let open = new Set<string>();
  let answered = new Set<string>();
  let previousRole = "";
  for (const [index, message] of messages.entries()) {
    if (message.role === "system") continue;
    if (message.role === "assistant" && previousRole !== "assistant") {
      found.push(...unanswered(open, `messages.${index}`));
      open = new Set();
      answered = new Set();
    }
    for (const [blockIndex, block] of blocksOf(message.content).entries()) {
      const at = `messages.${index}.content.${blockIndex}`;
      if (block.type === "tool_use") found.push(...openCall(String(block.id), at, { seen, open }));
      if (block.type === "tool_result") found.push(...closeCall(String(block.tool_use_id), at, { open, answered }));
    }
    previousRole = message.role;
  }
  return [...found, ...unanswered(open, `messages.${messages.length}`)];
}

function openCall(id: string, at: string, calls: { seen: Set<string>; open: Set<string> }): readonly Violation[] {
  const isDuplicate = calls.seen.has(id);
  calls.seen.add(id);
  calls.open.add(id);
  return isDuplicate ? [{ rule: "duplicate_call", at, detail: id }] : [];
}

function closeCall(id: string, at: string, calls: { open: Set<string>; answered: Set<string> }): readonly Violation[] {
  if (calls.answered.has(id)) return [{ rule: "duplicate_result", at, detail: id }];
  if (!calls.open.delete(id)) return [{ rule: "result_without_call", at, detail: id }];
  calls.answered.add(id);
  return [];
}

function unanswered(open: ReadonlySet<string>, at: string): readonly Violation[] {
  return [...open].map((id) => ({ rule: "call_without_result", at, detail: id }));
}
