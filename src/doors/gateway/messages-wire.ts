import { isObject, parseJson } from "../../core/json.ts";
import { hostOfWire } from "../../hosts/catalogue.ts";
import { createAnthropicFormat, parseUsage } from "../../wire/anthropic/messages.ts";
import type { WireMessage } from "../../wire/conversation.ts";
import { isRecord } from "../../wire/is-json.ts";
import { putAwayMessages, renderCompactionAnswer } from "./answer-compaction.ts";
import { CLOSING_SIGN } from "./put-away.ts";
import { createAnswerStream } from "./recall/answer-stream.ts";
import { pairBlocks } from "./recall/round.ts";
import { scanList, scanObject } from "./request/json-spans.ts";
import { listTypes } from "./request/request-fields.ts";
import { findMember, renderList, renderValue, setMembers } from "./request/set-members.ts";
import type { BlockSource, Wire } from "./wire.ts";

const client = hostOfWire("anthropic");

/** The role as written, and the escapes its letters could be written with. Within a text its quotes have backslashes. */
const ANSWERED = ['"assistant"', "\\u006", "\\u007"].map((sign) => Buffer.from(sign));

export const messagesWire: Wire = {
  route: "messages",
  client,
  names: client.headers ?? { session: "", agent: "" },
  list: "messages",
  format: createAnthropicFormat(client.decidePromptAuthor),
  countBase: () => 0,
  group: (elements) => (elements.every(isMessage) ? elements.map((message) => ({ message, count: 1 })) : undefined),
  isLastOpen: false,
  parseFields({ read, text, measure, placeList }) {
    const [metadata, management, choice] = [read("metadata"), read("context_management"), read("tool_choice")];
    const userId = isRecord(metadata) ? metadata.user_id : undefined;
    return {
      model: text("model"),
      isStream: read("stream") === true,
      userId: typeof userId === "string" ? userId : "",
      serverEdits: isRecord(management) ? listTypes(management.edits) : [],
      baseBytes: measure("system") + measure("tools"),
      tools: placeList("tools"),
      system: placeList("system"),
      toolChoice: isRecord(choice) && typeof choice.type === "string" ? choice.type : "",
    };
  },
  // What the model said before a compaction may be in our record, with handles to fetch from.
  isBeginning: (bytes) => ![...ANSWERED, CLOSING_SIGN].some((sign) => bytes.includes(sign)),
  isCompaction: ({ messages }) => client.isCompactionRequest(messages),
  compaction: { putAway: putAwayMessages, render: renderCompactionAnswer },
  bytes: {
    render: renderMessage,
    scanBlocks(bytes, span) {
      const contents = scanObject(bytes, span.start)?.members.filter(({ key }) => key === "content") ?? [];
      const [content, ...more] = contents;
      if (!content || more.length > 0) return [];
      return scanList(bytes, content.value.start)?.elements ?? [];
    },
    renderTool: (name, { description, parameters }) => ({ name, description, input_schema: parameters }),
    renderPicture(mediaType, data) {
      const type = mediaType.startsWith("image/") ? "image" : "document";
      return { type, source: { type: "base64", media_type: mediaType, data } };
    },
  },
  answers: {
    createStream: createAnswerStream,
    parse(answer) {
      const message = parseJson(answer.toString("utf8"));
      if (!isObject(message)) return undefined;
      const { content, stop_reason, usage } = message;
      const blocks = pairBlocks(content, findMember(answer, "content"));
      return (
        blocks && {
          blocks,
          stopReason: typeof stop_reason === "string" ? stop_reason : "",
          usage: isObject(usage) ? usage : {},
        }
      );
    },
    render: (answer, { first, shown, stopReason, usage }) =>
      setMembers(answer, {
        id: findMember(first, "id"),
        content: renderList(shown),
        stop_reason: stopReason === undefined ? undefined : renderValue(stopReason),
        usage: usage && renderValue(usage),
      }),
    renderFailure: (words, told) => told ?? { type: "error", error: { type: "api_error", message: words } },
    parseUsage,
    usageEvents: new Set(["message_start", "message_delta"]),
  },
};

function isMessage(raw: unknown): raw is WireMessage {
  return (
    isRecord(raw) && typeof raw.role === "string" && (typeof raw.content === "string" || Array.isArray(raw.content))
  );
}

function renderMessage(message: WireMessage, source: BlockSource): Buffer {
  const pieces: Buffer[] = [];
  let separator = "{";
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined) continue;
    pieces.push(Buffer.from(`${separator}${JSON.stringify(key)}:`));
    separator = ",";
    if (key === "content" && Array.isArray(value)) pieces.push(...renderContent(value, source));
    else pieces.push(Buffer.from(JSON.stringify(value)));
  }
  pieces.push(Buffer.from("}"));
  return Buffer.concat(pieces);
}

function renderContent(content: readonly object[], source: BlockSource): readonly Buffer[] {
  return [Buffer.from("["), ...renderRow(content, source), Buffer.from("]")];
}

/** Values separated by commas, as the bytes they came in if there are any. */
export function renderRow(values: readonly object[], source: BlockSource): readonly Buffer[] {
  return values.flatMap((value, index) => [
    Buffer.from(index === 0 ? "" : ","),
    source(value) ?? Buffer.from(JSON.stringify(value)),
  ]);
}
