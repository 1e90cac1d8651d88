import type { JsonObject } from "../../../../src/core/json.ts";
import { isObject, listField, objectField, textField } from "../../../../src/core/json.ts";
import type { Block, Message } from "../../../../src/core/message.ts";
import { reportRow } from "../../../../src/entry/engine/compaction/recorded-window.ts";
import { parseBlock } from "../../../../src/hosts/claude-code/parse-blocks.ts";
import { decidePromptAuthor } from "../../../../src/hosts/claude-code/prompt-author.ts";
import { isUnlogged } from "../../../../src/replay/prepare-session.ts";
import { renderBlock } from "../../../../src/wire/anthropic/messages.ts";

/** A row of the conversation as the client's engine keeps it. */
export interface ClientRow {
  readonly uuid: string;
  /** The route it came in by; empty for what no row tells. */
  readonly door: string;
  readonly role: Message["role"];
  readonly blocks: readonly Block[];
  /** What the client says at the start of a window; it says it again where a compaction drops it. */
  readonly isRecurring?: boolean;
}

/**
 * Rows before the first answer, with what the client says there by itself marked. Recordings do not name the kind of such a
 * text, so all of it counts as said again, except the template behind a command and the text of a skill.
 */
export function markRecurring(row: ClientRow, previous: ClientRow | undefined): ClientRow {
  const isTemplate = /^<command-/.test(textOf(previous)) || textOf(row).startsWith("Base directory for this skill");
  return row.door === "attachment" && !isTemplate ? { ...row, isRecurring: true } : row;
}

function textOf(row: ClientRow | undefined): string {
  return row?.blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n") ?? "";
}

/**
 * What was recorded as one message comes in as rows: each part of an answer, each result, what was said in one go, and each thing
 * that the client adds. Echoes of commands and notices are said as prompts are.
 */
export function toRows({ role, blocks }: Message, name: () => string): readonly ClientRow[] {
  const rows: ClientRow[] = [];
  for (const block of blocks) {
    const door = nameRowKind(block, role);
    const last = rows.at(-1);
    if (door === "prompt" && last?.door === "prompt")
      rows[rows.length - 1] = { ...last, blocks: [...last.blocks, block] };
    else rows.push({ uuid: name(), door, role, blocks: [block] });
  }
  return rows;
}

function nameRowKind(block: Block, role: Message["role"]): string {
  if (role === "assistant") return "response";
  if (block.kind === "toolResult") return "tool-result";
  if (isUnlogged(block)) return "";
  if (block.kind !== "text" || block.author !== "host") return "prompt";
  return role === "system" || decidePromptAuthor(block.text) === "person" ? "attachment" : "prompt";
}

/** As the client hands it to `session.append`. */
export function toAppend({ uuid, door, role, blocks, isRecurring }: ClientRow, origin: JsonObject): JsonObject {
  const type = door === "attachment" ? "attachment" : role === "assistant" ? "assistant" : "user";
  const content = blocks.map((block) => toJson(renderBlock(block, undefined)));
  return {
    door,
    uuid,
    origin,
    message: { type, ...(door === "attachment" ? { name: isRecurring ? "instructions" : "reminder" } : {}), content },
  };
}

/** What was stored in its place: the same blocks unless the module has folded them. */
export function toStored(row: ClientRow, reported: JsonObject, stored: JsonObject): ClientRow {
  if (stored === reported) return row;
  const content = listField(objectField(stored, "message") ?? {}, "content").filter(isObject);
  const blocks = content.map((raw, at): Block => {
    const before = row.blocks[at];
    const block = { ...parseBlock(raw, "host"), id: before?.id ?? "" };
    return before && JSON.stringify(renderBlock(before, undefined)) === JSON.stringify(raw) ? before : block;
  });
  return { ...row, blocks };
}

/** As the client tells the conversation at a compaction: words, calls and results of the rows that were said. */
export function toReported(row: ClientRow): readonly JsonObject[] {
  if (!isOfConversation(row)) return [];
  return [reportRow({ id: row.uuid, role: row.role, blocks: row.blocks })];
}

/**
 * What a module answers a compaction with, as rows: those that keep their handle as they were, the others in new words. A prompt
 * that keeps its own brings along what the client had put behind it, and what stood before the first stays.
 */
export function fromAnswer(
  messages: readonly JsonObject[],
  rows: readonly ClientRow[],
  name: () => string,
): readonly ClientRow[] {
  const byHandle = new Map(rows.map((row) => [row.uuid, row]));
  const reported = rows.findIndex(isOfConversation);
  const kept = messages.flatMap((message): readonly ClientRow[] => {
    const known = byHandle.get(textField(message, "handle"));
    if (known) return [known, ...listRiding(known, rows)].map((row) => ({ ...row, uuid: name() }));
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = readBlocks(message, role);
    const isResult = blocks.some(({ kind }) => kind === "toolResult");
    const door = role === "assistant" ? "response" : isResult ? "tool-result" : "prompt";
    return blocks.length === 0 ? [] : [{ uuid: name(), door, role, blocks }];
  });
  const front = rows.slice(0, Math.max(0, reported));
  const texts = new Set([...front, ...kept].flatMap(({ blocks }) => blocks));
  const again = rows.filter(({ isRecurring, blocks: [block] }) => isRecurring && block && !texts.has(block));
  return [...front, ...kept, ...again];
}

/** What the client tells again at a compaction, and a module may answer with. */
function isOfConversation({ door }: ClientRow): boolean {
  return door !== "" && door !== "attachment";
}

function listRiding(prompt: ClientRow, rows: readonly ClientRow[]): readonly ClientRow[] {
  if (prompt.door !== "prompt") return [];
  const behind = rows.slice(rows.indexOf(prompt) + 1);
  const end = behind.findIndex(isOfConversation);
  return end < 0 ? behind : behind.slice(0, end);
}

function readBlocks(message: JsonObject, role: "assistant" | "user"): readonly Block[] {
  const text = textField(message, "text");
  const said: readonly Block[] =
    text === "" ? [] : [{ kind: "text", id: "", text, author: role === "assistant" ? "model" : "person" }];
  const calls = listField(message, "toolUses")
    .filter(isObject)
    .map((call): Block => {
      const callId = textField(call, "tool_use_id");
      return {
        kind: "toolCall",
        id: callId,
        callId,
        tool: textField(call, "tool"),
        input: objectField(call, "input") ?? {},
      };
    });
  const results = listField(message, "toolResults")
    .filter(isObject)
    .map((result): Block => {
      const callId = textField(result, "tool_use_id");
      const parts = [{ kind: "text", text: textField(result, "text") } as const];
      return { kind: "toolResult", id: callId, callId, parts, isError: result.isError === true };
    });
  return [...results, ...said, ...calls];
}

function toJson(value: object): JsonObject {
  return isObject(value) ? value : {};
}
