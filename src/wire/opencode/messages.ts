import { type JsonObject, textField } from "../../core/json.ts";
import {
  type Draft,
  type Format,
  isJsonObject,
  isRecord,
  type ParsedMessage,
  type WireMessage,
} from "../conversation.ts";
import { draftCall, draftText, parseOpaqueMessage, parsePart, renderIdentity } from "../draft.ts";

/** A message of OpenCode as its plugins receive it: a call and its result are one part. */
export interface OpenCodeMessage {
  readonly info: Readonly<Record<string, unknown>>;
  readonly parts: readonly unknown[];
}

/** Half of a message: the text with the calls, or the calls' results. */
export interface Half extends WireMessage {
  readonly source: OpenCodeMessage;
}

export function isOpenCodeMessage(value: unknown): value is OpenCodeMessage {
  return isRecord(value) && isRecord(value.info) && typeof value.info.role === "string" && Array.isArray(value.parts);
}

/** Bookkeeping parts, which are in no request. */
const SILENT: ReadonlySet<unknown> = new Set(["step-start", "step-finish", "snapshot", "patch", "agent", "retry"]);

/** Separates calls and results, as in every API. */
export function splitMessages(messages: readonly OpenCodeMessage[]): readonly Half[] {
  return messages.flatMap((source) => {
    const parts = source.parts.filter(isRecord).filter(({ type, ignored }) => !SILENT.has(type) && ignored !== true);
    const role = String(source.info.role);
    const results = role === "assistant" ? parts.filter(hasResult).map((part) => ({ type: "result", part })) : [];
    const said: Half = { role, content: parts, source };
    return results.length === 0 ? [said] : [said, { role: "tool", content: results, source }];
  });
}

/** The reverse: unchanged messages as they came, and a message with the ledger's text in place of what was removed. */
export function joinMessages(halves: readonly WireMessage[]): readonly OpenCodeMessage[] {
  const template = halves.flatMap((half) => (isHalf(half) && half.role === "user" ? [half.source.info] : [])).at(-1);
  return halves.flatMap((half, order) => {
    if (isHalf(half)) return half.role === "tool" ? [] : [half.source];
    const id = `msg_plimsoll_${order}`;
    const info = { ...template, id, role: "user", summary: undefined };
    const texts = Array.isArray(half.content) ? half.content : [];
    const parts = texts.map((part, place) => ({
      ...part,
      id: `prt_plimsoll_${order}_${place}`,
      sessionID: template?.sessionID,
      messageID: id,
    }));
    return [{ info, parts }];
  });
}

export function isHalf(message: WireMessage): message is Half {
  return "source" in message && isOpenCodeMessage(message.source);
}

/** Only segments of ledger are ever written: results are folded as they arrive, and nothing else is changed in place. */
export const openCodeFormat: Format = {
  parseMessage,
  renderBlock: (block) => ({ type: "text", text: block.kind === "text" ? block.text : "", synthetic: true }),
  renderMessage: ({ role }, content) => ({ role, content }),
};

function parseMessage(raw: unknown): ParsedMessage {
  if (!isRecord(raw) || !Array.isArray(raw.content)) return parseOpaqueMessage(raw);
  const { role, content } = raw;
  if (role === "tool") return { role: "user", parts: content.map((part) => ({ draft: draftResult(part), raw: part })) };
  if (role !== "user" && role !== "assistant") return parseOpaqueMessage(raw);
  return { role, parts: content.map((part) => parsePart(part, (known) => draftPart(known, role))) };
}

function draftPart(raw: JsonObject, role: "user" | "assistant"): Draft | undefined {
  switch (raw.type) {
    case "text":
      return draftText(raw.text, role === "assistant" ? "model" : raw.synthetic === true ? "host" : "person");
    case "reasoning": {
      const identity = renderIdentity({ text: raw.text, metadata: raw.metadata });
      return { kind: "thinking", text: textField(raw, "text"), signature: "", identity };
    }
    case "tool": {
      const { callID, tool, state } = raw;
      if (!hasResult(raw)) return undefined;
      return draftCall(callID, tool, isRecord(state) && isJsonObject(state.input) ? state.input : {});
    }
    case "file": {
      const [url, mediaType] = [textField(raw, "url"), textField(raw, "mime")];
      if (!mediaType.startsWith("image/") || !url.startsWith("data:")) return undefined;
      return { kind: "image", mediaType, encodedLength: url.length, raw, identity: url };
    }
    default:
      return undefined;
  }
}

/** OpenCode's own clearing of old results. */
const CLEARED = "[Old tool result content cleared]";

function hasResult(part: unknown): boolean {
  if (!isRecord(part) || part.type !== "tool" || !isRecord(part.state)) return false;
  const { status, output, error } = part.state;
  return (status === "completed" && typeof output === "string") || (status === "error" && typeof error === "string");
}

function draftResult(raw: unknown): Draft {
  const part = isRecord(raw) && isRecord(raw.part) ? raw.part : {};
  const state = isRecord(part.state) ? part.state : {};
  const isError = state.status === "error";
  const isCleared = isRecord(state.time) && state.time.compacted !== undefined;
  const text = isError ? String(state.error) : isCleared ? CLEARED : String(state.output);
  const attached = Array.isArray(state.attachments) ? state.attachments.filter(isJsonObject) : [];
  const parts = [{ kind: "text", text } as const, ...attached.map((file) => ({ kind: "opaque", raw: file }) as const)];
  return { kind: "toolResult", callId: String(part.callID), parts, isError };
}
