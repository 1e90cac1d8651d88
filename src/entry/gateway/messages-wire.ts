import { isObject, objectField, parseObject, textField } from "../../core/json.ts";
import { hostOfWire } from "../../hosts/catalogue.ts";
import { renderSseFrame } from "../../library/stream/sse-frames.ts";
import { createAnthropicFormat } from "../../wire/anthropic/messages.ts";
import { parseUsage } from "../../wire/anthropic/parse-usage.ts";
import type { WireMessage } from "../../wire/conversation.ts";
import { CLOSING_SIGN, putAway } from "./put-away.ts";
import { createAnswerStream } from "./recall/answer-stream.ts";
import { PLAIN_STOP, pairBlocks } from "./recall/round.ts";
import { scanList, scanObject } from "./request/json-spans.ts";
import { hasClearing } from "./request/request-fields.ts";
import { findMember, renderList, renderValue, setMembers } from "./request/set-members.ts";
import type { BlockSource, CompactionBody, CompactionCall, Wire, WrittenRecord } from "./wire.ts";

const client = hostOfWire("anthropic");

/** The role as written, and the escapes its letters could be written with. Within a text its quotes have backslashes. */
const ANSWERED = ['"assistant"', "\\u006", "\\u007"].map((sign) => Buffer.from(sign));

export const messagesWire: Wire = {
  route: "messages",
  client,
  list: "messages",
  format: createAnthropicFormat(client.decidePromptAuthor),
  countBase: () => 0,
  group: (elements) => (elements.every(isMessage) ? elements.map((message) => ({ message, count: 1 })) : undefined),
  isLastOpen: false,
  parseFields({ read, text, measure, placeList }) {
    const [metadata, management, choice] = [read("metadata"), read("context_management"), read("tool_choice")];
    return {
      model: text("model"),
      isStream: read("stream") === true,
      userId: isObject(metadata) ? textField(metadata, "user_id") : "",
      isClearedByServer: isObject(management) && hasClearing(management.edits),
      baseBytes: measure("system") + measure("tools"),
      tools: placeList("tools"),
      system: placeList("system"),
      toolChoice: isObject(choice) ? textField(choice, "type") : "",
    };
  },
  // What the model said before a compaction may be in our record, with handles to fetch from.
  isBeginning: (bytes) => ![...ANSWERED, CLOSING_SIGN].some((sign) => bytes.includes(sign)),
  isCompaction: ({ conversation }) => client.isCompactionRequest(conversation.messages),
  compaction: {
    putAway: ({ request: { bytes, list } }, whose) => putAway(whose, bytes.toString("utf8", list.start, list.end)),
    render: renderCompactionAnswer,
  },
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
      const message = parseObject(answer.toString("utf8"));
      const blocks = pairBlocks(message.content, findMember(answer, "content"));
      const stopReason = textField(message, "stop_reason");
      return blocks && { blocks, stopReason, usage: objectField(message, "usage") ?? {} };
    },
    render: (answer, { first, shown, stopReason, usage }) =>
      setMembers(answer, {
        id: findMember(first, "id"),
        content: renderList(shown),
        stop_reason: stopReason === undefined ? undefined : renderValue(stopReason),
        usage: usage && renderValue(usage),
      }),
    renderFailure: (words, answered) => answered ?? { type: "error", error: { type: "api_error", message: words } },
    parseUsage,
    usageEvents: new Set(["message_start", "message_delta"]),
  },
};

function isMessage(raw: unknown): raw is WireMessage {
  return (
    isObject(raw) && typeof raw.role === "string" && (typeof raw.content === "string" || Array.isArray(raw.content))
  );
}

function renderMessage(message: WireMessage, source: BlockSource): Buffer {
  const { content } = message;
  if (typeof content === "string") return renderValue(message);
  const list = renderList(content.map((block) => source(block) ?? renderValue(block)));
  return setMembers(renderValue({ ...message, content: [] }), { content: list });
}

/** The record of what happened, in place of a model's summary. */
function renderCompactionAnswer({ request, session }: CompactionCall, { text: record }: WrittenRecord): CompactionBody {
  const { model, isStream } = request.fields;
  const id = `msg_plimsoll_${session}`;
  const text = `<summary>\n${record}\n</summary>`;
  const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const message = { id, type: "message", role: "assistant", model, stop_sequence: null, usage };
  const block = { type: "text", text };
  if (!isStream) {
    const body = Buffer.from(JSON.stringify({ ...message, content: [block], stop_reason: PLAIN_STOP }));
    return { contentType: "application/json", body };
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: PLAIN_STOP, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const frames = events.map((event) => renderSseFrame({ event: event.type, data: JSON.stringify(event) }));
  return { contentType: "text/event-stream; charset=utf-8", body: Buffer.concat(frames) };
}
