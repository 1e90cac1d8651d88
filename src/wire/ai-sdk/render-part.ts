import type { Block, ResultPart, ToolResultBlock } from "../../core/message.ts";
import { isRecord } from "../is-json.ts";

/** A part that was changed, or that a layer made. Provider options stay: breakpoints of the prompt cache are among them. */
export function renderPart(block: Block, source: unknown): object {
  const raw = isRecord(source) ? source : {};
  switch (block.kind) {
    case "text":
      return raw.type === "text" ? { ...raw, text: block.text } : { type: "text", text: block.text, ...keep(raw) };
    case "toolCall":
      return { ...raw, type: "tool-call", toolCallId: block.callId, toolName: block.tool, input: block.input };
    case "toolResult":
      return { ...raw, type: "tool-result", toolCallId: block.callId, output: renderOutput(block, raw.output) };
    case "thinking":
      return { type: "reasoning", text: block.text };
    case "image":
    case "opaque":
      return block.raw;
  }
}

function renderOutput({ parts, isError }: ToolResultBlock, before: unknown): object {
  const [only] = parts;
  if (parts.length === 1 && only?.kind === "text")
    return { type: isError ? "error-text" : "text", value: only.text, ...keep(before) };
  return { type: "content", value: parts.map(renderOutputPart), ...keep(before) };
}

function renderOutputPart(part: ResultPart): object {
  return part.kind === "text" ? { type: "text", text: part.text } : part.raw;
}

function keep(raw: unknown): object {
  return isRecord(raw) && raw.providerOptions !== undefined ? { providerOptions: raw.providerOptions } : {};
}
