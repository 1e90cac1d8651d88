import { type Block, type Message, renderResultText } from "../core/message.ts";

/** A conversation as one text, for a model that only reads it: no ids to pair, no tools to declare, no pictures. */
export function renderTranscript(messages: readonly Message[]): string {
  return messages
    .map(({ role, blocks }) => [`## ${role}`, ...blocks.map(renderPlain).filter((line) => line !== "")].join("\n"))
    .join("\n\n");
}

function renderPlain(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "toolCall":
      return `[call of ${block.tool}] ${JSON.stringify(block.input)}`;
    case "toolResult":
      return `[${block.isError ? "failed" : "result"}] ${renderResultText(block)}`;
    case "image":
      return `[picture, ${block.mediaType}]`;
    case "opaque":
      return `[${block.type}]`;
    case "thinking":
      return "";
  }
}
