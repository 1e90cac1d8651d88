import { type JsonObject, textField } from "../../core/json.ts";
import type { Author, Block, Message, ResultPart, Role } from "../../core/message.ts";
import type { Format, Identify, ParsedBlock, ParsedMessage, WireMessage } from "../conversation.ts";
import { isJsonObject, isRecord } from "../is-json.ts";
import { parseOpaque, parseOpaqueMessage, renderIdentity } from "../opaque.ts";

/** Reads and writes the messages of a request as OpenCode 2 passes them to its plugins. */
export const requestFormat: Format = { parseMessage, renderBlock, renderMessage };

const SPEAKERS: ReadonlyMap<unknown, { readonly role: Role; readonly author: Author }> = new Map([
  ["user", { role: "user", author: "person" }],
  ["assistant", { role: "assistant", author: "model" }],
  ["tool", { role: "user", author: "host" }],
] as const);

function parseMessage(raw: unknown, identify: Identify): ParsedMessage {
  const speaker = isRecord(raw) ? SPEAKERS.get(raw.role) : undefined;
  if (!isRecord(raw) || !speaker || !Array.isArray(raw.content)) return parseOpaqueMessage(raw, identify);
  return { role: speaker.role, blocks: raw.content.map((part) => parsePart(part, speaker.author, identify)) };
}

function parsePart(raw: unknown, author: Author, identify: Identify): ParsedBlock {
  const block = isJsonObject(raw) ? understand(raw, author, identify) : undefined;
  return block ? { block, raw } : parseOpaque(raw, identify);
}

function understand(raw: JsonObject, author: Author, identify: Identify): Block | undefined {
  // A call that the provider ran itself stays with its result, unchanged.
  if (raw.providerExecuted === true) return undefined;
  const callId = textField(raw, "id");
  switch (raw.type) {
    case "text":
      if (typeof raw.text !== "string") return undefined;
      return { kind: "text", id: identify({ kind: "text", content: raw.text }), text: raw.text, author };
    case "reasoning": {
      const id = identify({ kind: "thinking", content: renderIdentity(raw) });
      return { kind: "thinking", id, text: textField(raw, "text"), signature: textField(raw, "encrypted") };
    }
    case "tool-call":
      if (callId === "" || !isJsonObject(raw.input)) return undefined;
      return {
        kind: "toolCall",
        id: identify({ kind: "toolCall", callId }),
        callId,
        tool: textField(raw, "name"),
        input: raw.input,
      };
    case "tool-result":
      return callId === "" || !isJsonObject(raw.result) ? undefined : parseResult(callId, raw.result, identify);
    default:
      return undefined;
  }
}

function parseResult(callId: string, result: JsonObject, identify: Identify): Block {
  const { type, value } = result;
  const parts: readonly ResultPart[] =
    type === "content" && Array.isArray(value)
      ? value.filter(isJsonObject).map((part) => {
          const text = part.type === "text" ? part.text : undefined;
          return typeof text === "string" ? { kind: "text", text } : { kind: "opaque", raw: part };
        })
      : [{ kind: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) }];
  return { kind: "toolResult", id: identify({ kind: "toolResult", callId }), callId, parts, isError: type === "error" };
}

/** Only segments of ledger are ever written. */
function renderBlock(block: Block): object {
  return { type: "text", text: block.kind === "text" ? block.text : "" };
}

function renderMessage(message: Message, blocks: readonly object[]): WireMessage {
  return { role: message.role, content: blocks };
}
