import type { RenderedMessage } from "./render-answer.ts";
import type { AnswerBlock } from "./scenario.ts";

/** One event of the API's stream; `type` is both the SSE event name and a field of its data. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Small enough that any real answer takes several deltas, large enough that a session stays quick. */
const CHARACTERS_PER_DELTA = 48;

/** The same answer as a stream: an empty message first, then each block in pieces, the final usage last. */
export function renderEvents(message: RenderedMessage): readonly StreamEvent[] {
  const { usage } = message;
  return [
    {
      type: "message_start",
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: "ping" },
    ...message.content.flatMap(renderBlock),
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: message.stop_sequence },
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        output_tokens: usage.output_tokens,
      },
    },
    { type: "message_stop" },
  ];
}

export function renderFrame(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function renderBlock(block: AnswerBlock, index: number): readonly StreamEvent[] {
  return [
    { type: "content_block_start", index, content_block: emptied(block) },
    ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function emptied(block: AnswerBlock): AnswerBlock {
  if (block.type === "text") return { ...block, text: "", ...(block.citations && { citations: [] }) };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  return { ...block, input: {} };
}

function deltasOf(block: AnswerBlock): readonly StreamEvent[] {
  if (block.type === "text")
    return [
      ...piecesOf(block.text).map((piece) => ({ type: "text_delta", text: piece })),
      ...(block.citations ?? []).map((citation) => ({ type: "citations_delta", citation })),
    ];
  if (block.type === "thinking") {
    return [
      ...piecesOf(block.thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
      { type: "signature_delta", signature: block.signature },
    ];
  }
  // The real API opens every tool input with an empty piece; a parser that cannot take it is wrong.
  const pieces = ["", ...piecesOf(JSON.stringify(block.input))];
  return pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece }));
}

function piecesOf(content: string): readonly string[] {
  const characters = [...content];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; start += CHARACTERS_PER_DELTA) {
    pieces.push(characters.slice(start, start + CHARACTERS_PER_DELTA).join(""));
  }
  return pieces;
}
