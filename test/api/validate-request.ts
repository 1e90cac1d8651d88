import { blocksOf, type ContentBlock, isRecord, type Message, type MessagesBody } from "./messages-body.ts";
import { type Violation, validateMessages } from "./validate-messages.ts";

/** What the client puts in the place of a result that it cannot find. */
const LOST_RESULT = "[Tool result missing due to internal error]";
const MAX_MARKS = 4;

/** All that the API refuses, and what no client of ours may send; empty where there is nothing to say against a request. */
export function validateRequest(body: Pick<MessagesBody, "messages" | "system" | "tools">): readonly Violation[] {
  const { messages } = body;
  return [
    ...validateMessages(body),
    ...messages.flatMap(validateBlocks),
    ...validateRounds(messages),
    ...validateMarks(body),
  ];
}

function validateBlocks(message: Message, index: number): readonly Violation[] {
  const found: Violation[] = [];
  const texts = new Set<unknown>();
  for (const [at, block] of blocksOf(message.content).entries()) {
    const place = `messages.${index}.content.${at}`;
    if (block.type === "text" && block.text !== "" && isBlank(block.text))
      found.push({ rule: "empty_content", at: place, detail: "only white space" });
    if (block.type === "tool_result" && listTexts(block).includes(LOST_RESULT))
      found.push({ rule: "lost_result", at: place, detail: String(block.tool_use_id) });
    if (block.type === "tool_result" && Array.isArray(block.content) && block.content.some(isEmptyText))
      found.push({ rule: "empty_content", at: place, detail: "empty text in a result" });
    if (message.role !== "assistant" || block.type !== "text") continue;
    if (texts.has(block.text))
      found.push({ rule: "repeated_text", at: place, detail: String(block.text).slice(0, 60) });
    texts.add(block.text);
  }
  return found;
}

function isBlank(text: unknown): boolean {
  return typeof text === "string" && !/\S/.test(text);
}

function isEmptyText(part: unknown): boolean {
  return isRecord(part) && part.type === "text" && (part.text === "" || isBlank(part.text));
}

function listTexts({ content }: ContentBlock): readonly unknown[] {
  if (!Array.isArray(content)) return [content];
  return content.filter(isRecord).map((part) => part.text);
}

/** Messages of one role in a row are one to the API; those of role system stand outside. */
function validateRounds(messages: readonly Message[]): readonly Violation[] {
  const found: Violation[] = [];
  let previous = "";
  let hasOther = false;
  for (const [index, message] of messages.entries()) {
    if (message.role === "system") continue;
    if (message.role !== previous) hasOther = false;
    previous = message.role;
    if (message.role !== "user") continue;
    for (const [at, block] of blocksOf(message.content).entries()) {
      if (block.type !== "tool_result") hasOther = true;
      else if (hasOther)
        found.push({
          rule: "result_not_first",
          at: `messages.${index}.content.${at}`,
          detail: String(block.tool_use_id),
        });
    }
  }
  const last = messages.findLast(({ role }) => role !== "system");
  if (last !== undefined && last.role !== "user" && !isPrefill(last))
    found.push({ rule: "last_role", at: `messages.${messages.length - 1}`, detail: `last role is ${last.role}` });
  return found;
}

/** An answer begun for the model: words alone, and none of them followed by white space. */
function isPrefill({ content }: Message): boolean {
  const blocks = blocksOf(content);
  const text = blocks.at(-1)?.text;
  return blocks.every(({ type }) => type === "text") && typeof text === "string" && text === text.trimEnd();
}

function validateMarks({
  messages,
  system,
  tools,
}: Pick<MessagesBody, "messages" | "system" | "tools">): readonly Violation[] {
  const found: Violation[] = [];
  let marks = [...tools, ...system].filter(isMarked).length;
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of blocksOf(message.content).entries()) {
      const parts = block.type === "tool_result" && Array.isArray(block.content) ? block.content.filter(isRecord) : [];
      marks += [block, ...parts].filter(isMarked).length;
      if (!isMarked(block)) continue;
      const isWrong = block.type === "thinking" || block.type === "redacted_thinking" || block.text === "";
      if (isWrong) found.push({ rule: "wrong_mark", at: `messages.${index}.content.${at}`, detail: block.type });
    }
  }
  if (marks > MAX_MARKS) found.push({ rule: "wrong_mark", at: "messages", detail: `${marks} breakpoints` });
  return found;
}

function isMarked(block: Readonly<Record<string, unknown>>): boolean {
  return block.cache_control !== undefined && block.cache_control !== null;
}
