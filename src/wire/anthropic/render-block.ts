import type { Block, ResultPart, ToolResultBlock } from "../../core/message.ts";
import { isRecord } from "../is-json.ts";

/**
 * A block that was changed, or that a layer made. Of what it came from every field stays that the change does not speak
 * of: breakpoints, citations, whatever the API will think of next.
 */
export function renderBlock(block: Block, source: unknown): object {
  const raw = isRecord(source) ? source : {};
  switch (block.kind) {
    case "text":
      return raw.type === "text"
        ? { ...raw, text: block.text }
        : { type: "text", text: block.text, ...keepBreakpoint(raw) };
    case "toolCall":
      return { ...raw, type: "tool_use", id: block.callId, name: block.tool, input: block.input };
    case "toolResult":
      return renderResult(block, raw);
    case "thinking":
      return { type: "thinking", thinking: block.text, signature: block.signature };
    case "image":
    case "opaque":
      return block.raw;
  }
}

function renderResult(block: ToolResultBlock, raw: Readonly<Record<string, unknown>>): object {
  const content = typeof raw.content === "string" ? joinTexts(block.parts) : undefined;
  return {
    ...raw,
    type: "tool_result",
    tool_use_id: block.callId,
    content: content ?? block.parts.map((part) => renderPart(part, raw.content)),
    ...(block.isError === (raw.is_error === true) ? {} : { is_error: block.isError }),
  };
}

function renderPart(part: ResultPart, before: unknown): object {
  if (part.kind !== "text") return part.raw;
  const marked = Array.isArray(before) ? before.findLast((item) => isRecord(item) && "cache_control" in item) : {};
  return { type: "text", text: part.text, ...keepBreakpoint(marked) };
}

function joinTexts(parts: readonly ResultPart[]): string | undefined {
  const [only] = parts;
  return parts.length === 1 && only?.kind === "text" ? only.text : undefined;
}

/** A breakpoint that is lost makes the whole request dear. */
function keepBreakpoint(raw: unknown): object {
  return isRecord(raw) && raw.cache_control !== undefined ? { cache_control: raw.cache_control } : {};
}
