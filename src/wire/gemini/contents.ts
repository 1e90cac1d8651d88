import { type JsonObject, objectField, textField } from "../../core/json.ts";
import type { Author, Block, ToolResultBlock } from "../../core/message.ts";
import { type Draft, type Format, isRecord, type ParsedMessage, type Raw } from "../conversation.ts";
import { draftCall, findOnlyText, parseOpaqueMessage, parsePart, renderIdentity, renderResultParts } from "../draft.ts";

/** Reads and writes the `contents` of Gemini's API. Calls may come without an id: then the nth result of a name answers its nth call. */
export function createGeminiFormat(decideAuthor: (text: string) => Author): Format {
  const nameCall = createCallNames();
  return {
    parseMessage(raw): ParsedMessage {
      const role = isRecord(raw) ? ROLES.get(raw.role) : undefined;
      if (!isRecord(raw) || !role || !Array.isArray(raw.parts) || raw.parts.length === 0)
        return parseOpaqueMessage(raw);
      const authorOf = (text: string): Author => (role === "user" ? decideAuthor(text) : "model");
      return {
        role,
        parts: raw.parts.map((part: unknown) => parsePart(part, (known) => draftPart(known, authorOf, nameCall))),
      };
    },
    renderBlock,
    renderMessage: ({ role }, parts, raw = {}) => ({ ...raw, role: role === "assistant" ? "model" : "user", parts }),
  };
}

const ROLES: ReadonlyMap<unknown, "user" | "assistant"> = new Map<unknown, "user" | "assistant">([
  ["user", "user"],
  ["function", "user"],
  ["model", "assistant"],
]);

type NameCall = (kind: "call" | "result", part: JsonObject, about: JsonObject) => string;

/** A part keeps its name however often it is read. */
function createCallNames(): NameCall {
  const named = new WeakMap<JsonObject, string>();
  const counts = new Map<string, number>();
  return (kind, part, about) => {
    const known = named.get(part);
    if (known !== undefined) return known;
    const tool = textField(about, "name");
    const count = (counts.get(`${kind} ${tool}`) ?? 0) + 1;
    counts.set(`${kind} ${tool}`, count);
    const name = textField(about, "id") || `${tool}:${count}`;
    named.set(part, name);
    return name;
  };
}

function draftPart(raw: JsonObject, authorOf: (text: string) => Author, nameCall: NameCall): Draft | undefined {
  const { text } = raw;
  const called = objectField(raw, "functionCall");
  const answered = objectField(raw, "functionResponse");
  if (called) return draftCall(nameCall("call", raw, called), called.name, called.args ?? {});
  if (answered) return draftResult(nameCall("result", raw, answered), objectField(answered, "response"));
  if (typeof text === "string" && raw.thought === true)
    return { kind: "thinking", text, signature: textField(raw, "thoughtSignature"), identity: renderIdentity(raw) };
  // A signed text belongs to the model's thinking: it is sent back as it came.
  if (typeof text === "string" && raw.thoughtSignature === undefined)
    return { kind: "text", text, author: authorOf(text) };
  return draftImage(raw);
}

/** The SDK's own tools answer with one of these fields. */
function draftResult(callId: string, response: JsonObject | undefined): Draft | undefined {
  if (!response) return undefined;
  const isError = response.error !== undefined;
  const only = response.output ?? response.result ?? response.error;
  const text = typeof only === "string" && Object.keys(response).length === 1 ? only : JSON.stringify(response);
  return { kind: "toolResult", callId, parts: [{ kind: "text", text }], isError };
}

function draftImage(raw: JsonObject): Draft | undefined {
  const inline = objectField(raw, "inlineData") ?? {};
  const [mediaType, data] = [textField(inline, "mimeType"), textField(inline, "data")];
  if (data === "" || !mediaType.startsWith("image/")) return undefined;
  return { kind: "image", mediaType, encodedLength: data.length, raw, identity: data };
}

/** Writes a part that was changed, or that a layer made. All other fields of its source stay, such as its signature. */
function renderBlock(block: Block, raw: Raw = {}): object {
  switch (block.kind) {
    case "text":
      return { ...raw, text: block.text };
    case "toolCall":
      return { ...raw, functionCall: { ...fieldsOf(raw.functionCall), name: block.tool, args: block.input } };
    case "toolResult":
      return { ...raw, functionResponse: { ...fieldsOf(raw.functionResponse), response: renderResponse(block) } };
    case "thinking":
      return { text: block.text, thought: true };
    default:
      return block.raw;
  }
}

function renderResponse({ parts, isError }: ToolResultBlock): object {
  const said = findOnlyText(parts) ?? JSON.stringify(renderResultParts(parts));
  return isError ? { error: said } : { output: said };
}

function fieldsOf(value: unknown): object {
  return isRecord(value) ? value : {};
}
