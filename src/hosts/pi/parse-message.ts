import type { SessionEvent } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { isObject, numberField, objectField, textField } from "../../core/json-fields.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";
import {
  createArrival,
  createCall,
  createImage,
  createOpaque,
  createResult,
  createText,
  createThinking,
  type ToldEvent,
  typeOf,
} from "../create-events.ts";
import { parseUsage } from "./parse-usage.ts";

/** A message of the client, as events; `undefined` for a role that nobody here knows. */
export function parseMessage(message: JsonObject, told: ToldEvent): readonly SessionEvent[] | undefined {
  switch (textField(message, "role")) {
    case "assistant":
      return parseAnswer(message, told);
    case "user":
      return parseContent(message.content, "person").map((block) =>
        createArrival(block, { ...told, source: "prompt" }),
      );
    case "toolResult":
      return [parseResult(message, told)];
    case "bashExecution":
      return message.excludeFromContext === true ? [] : [note(renderBash(message), "bashExecution", told)];
    case "branchSummary":
    case "compactionSummary":
      return [note(textField(message, "summary"), "summary", told)];
    case "custom":
    case "system":
    case "hookMessage":
      return parseContent(message.content, "host").map((block) =>
        createArrival(block, { ...told, source: "attachment", label: textField(message, "customType") || "system" }),
      );
    default:
      return undefined;
  }
}

/** What was broken off or failed is billed where it was counted, and the client sends it to nobody again. */
function parseAnswer(message: JsonObject, told: ToldEvent): readonly SessionEvent[] {
  const usage = parseUsage(objectField(message, "usage"));
  const stop = textField(message, "stopReason");
  const isDropped = stop === "aborted" || stop === "error";
  if (isDropped && !usage) return [];
  return [
    {
      kind: "output",
      ...told,
      stepId: textField(message, "responseId") || `${told.origin}@${told.atMs}`,
      model: textField(message, "model"),
      usage,
      isOutputFinal: true,
      ...(stop === "stop" || stop === "toolUse" ? { isTurnEnd: stop === "stop" } : {}),
      blocks: isDropped ? [] : parseContent(message.content, "model"),
    },
  ];
}

function parseContent(content: Json | undefined, author: Author): readonly Block[] {
  if (typeof content === "string") return [createText(content, author)];
  return Array.isArray(content) ? content.filter(isObject).map((part) => parseBlock(part, author)) : [];
}

function parseBlock(part: JsonObject, author: Author): Block {
  switch (part.type) {
    case "text":
      return createText(textField(part, "text"), author);
    case "thinking":
      return createThinking(textField(part, "thinking"), textField(part, "thinkingSignature"));
    case "toolCall":
      return createCall(textField(part, "id"), textField(part, "name"), objectField(part, "arguments") ?? {});
    case "image":
      return createImage(part, textField(part, "data"), textField(part, "mimeType") || "image/png");
    default:
      return createOpaque(typeOf(part), part);
  }
}

function parseResult(message: JsonObject, told: ToldEvent): SessionEvent {
  const parts = parseContent(message.content, "host").map((block): ResultPart => {
    if (block.kind === "text") return { kind: "text", text: block.text };
    return block.kind === "image" ? block : { kind: "opaque", raw: message };
  });
  const block = createResult(textField(message, "toolCallId"), parts, { isError: message.isError === true });
  const detail = objectField(message, "details");
  return createArrival(block, { ...told, source: "toolResult", label: textField(message, "toolName"), detail });
}

/** A command that the person ran themselves. */
function renderBash(message: JsonObject): string {
  const code = numberField(message, "exitCode");
  const ending = code === undefined || code === 0 ? "" : `\n\nCommand exited with code ${code}`;
  return `Ran \`${textField(message, "command")}\`\n${textField(message, "output")}${ending}`;
}

export function note(text: string, label: string, told: ToldEvent): SessionEvent {
  return createArrival(createText(text, "host"), { ...told, source: "attachment", label });
}
