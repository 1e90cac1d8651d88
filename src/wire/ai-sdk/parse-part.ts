import type { JsonObject } from "../../core/json.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";
import type { Identify, ParsedBlock } from "../conversation.ts";
import { isJsonObject } from "../is-json.ts";
import { parseOpaque, renderIdentity, textOf } from "../opaque.ts";

export interface PartSpeaker {
  readonly role: string;
  readonly author: Author;
}

/** One content part of a `ModelMessage`. What is not understood, or holds bytes or URL objects, is opaque. */
export function parsePart(raw: unknown, speaker: PartSpeaker, identify: Identify): ParsedBlock {
  const block = isJsonObject(raw) ? understand(raw, speaker, identify) : undefined;
  return block ? { block, raw } : parseOpaque(raw, identify);
}

function understand(raw: JsonObject, { role, author }: PartSpeaker, identify: Identify): Block | undefined {
  switch (raw.type) {
    case "text":
      if (typeof raw.text !== "string") return undefined;
      return { kind: "text", id: identify({ kind: "text", content: raw.text }), text: raw.text, author };
    case "reasoning":
      // Its signature is the provider's own affair: it lies in the part's options and leaves with them.
      return {
        kind: "thinking",
        id: identify({ kind: "thinking", content: renderIdentity(raw) }),
        text: textOf(raw, "text"),
        signature: "",
      };
    case "tool-call": {
      const { toolCallId: callId, toolName: tool, input } = raw;
      if (typeof callId !== "string" || typeof tool !== "string" || !isJsonObject(input)) return undefined;
      if (raw.providerExecuted === true) return undefined;
      return { kind: "toolCall", id: identify({ kind: "toolCall", callId }), callId, tool, input };
    }
    case "tool-result":
      // In an assistant message it is the provider's own tool: call and result stay together as they are.
      return role === "tool" ? parseResult(raw, identify) : undefined;
    case "image":
    case "file":
      return parseImage(raw, identify);
    default:
      return undefined;
  }
}

function parseImage(raw: JsonObject, identify: Identify): Block | undefined {
  const data = textOf(raw, raw.type === "image" ? "image" : "data");
  const mediaType = textOf(raw, "mediaType") || (raw.type === "image" ? "image/*" : "");
  if (data === "" || !mediaType.startsWith("image/")) return undefined;
  return { kind: "image", id: identify({ kind: "image", content: data }), mediaType, encodedLength: data.length, raw };
}

function parseResult(raw: JsonObject, identify: Identify): Block | undefined {
  const { toolCallId: callId, output } = raw;
  if (typeof callId !== "string" || !isJsonObject(output)) return undefined;
  const id = identify({ kind: "toolResult", callId });
  const isError = output.type === "error-text" || output.type === "error-json";
  return { kind: "toolResult", id, callId, parts: parseOutput(output), isError };
}

function parseOutput(output: JsonObject): readonly ResultPart[] {
  const { type, value } = output;
  if ((type === "text" || type === "error-text") && typeof value === "string") return [{ kind: "text", text: value }];
  if ((type === "json" || type === "error-json") && value !== undefined)
    return [{ kind: "text", text: JSON.stringify(value) }];
  if (type === "content" && Array.isArray(value) && value.every(isJsonObject)) return value.map(parseOutputPart);
  return [{ kind: "opaque", raw: output }];
}

function parseOutputPart(raw: JsonObject): ResultPart {
  if (raw.type === "text" && typeof raw.text === "string") return { kind: "text", text: raw.text };
  const mediaType = textOf(raw, "mediaType");
  const isImage = raw.type === "image-data" || (raw.type === "media" && mediaType.startsWith("image/"));
  return isImage
    ? { kind: "image", mediaType, encodedLength: textOf(raw, "data").length, raw }
    : { kind: "opaque", raw };
}
