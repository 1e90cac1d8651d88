/** A block of a model's answer, with JSON that is sent as it is written here. */
export type RawBlock =
  | { readonly kind: "text"; readonly text: string; readonly odd: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string;
      readonly input: string;
      readonly odd: string;
      /** A stream has the input in the beginning of the block instead of in pieces. */
      readonly isEarly: boolean;
    };

export interface RawRound {
  readonly blocks: readonly RawBlock[];
  readonly stop: "end_turn" | "tool_use" | "max_tokens";
  readonly odd: string;
}

/** How the answers are written: the same for all of one case. */
export interface Style {
  readonly lineEnd: "\n" | "\r\n";
  readonly gap: "" | " ";
}

/** One answer of an upstream, or what a client is to get: these differ in the numbers alone. */
export interface Written {
  readonly id: string;
  readonly usage: string;
  readonly style: Style;
}

const TOKENS = { input_tokens: 7, output_tokens: 3 };

/** What `count` answers have used together. */
export function sumUsage(count: number, api: Api): string {
  const sum = { input_tokens: TOKENS.input_tokens * count, output_tokens: TOKENS.output_tokens * count };
  return JSON.stringify(api === "messages" ? sum : { ...sum, total_tokens: 10 * count });
}

export type Api = "messages" | "responses";

export interface AnswerWriter {
  block(block: RawBlock): string;
  whole(round: RawRound, blocks: string, written: Written): string;
  /** The frames of one block, with the number that it has. */
  frames(block: RawBlock, numbered: Numbered, written: Written): readonly string[];
  /** The first frame, and the last ones. */
  begin(written: Written): readonly string[];
  end(round: RawRound, facts: Ended, written: Written): readonly string[];
}

export interface Numbered {
  readonly index: number;
  /** The number of the next event; counted on. */
  next(): number;
}

interface Ended {
  readonly next: () => number;
  /** The blocks once more, where the API tells them at the end. */
  readonly blocks: readonly string[];
}

function frame(name: string, data: string, { lineEnd, gap }: Style): string {
  return `event:${gap}${name}${lineEnd}data:${gap}${data}${lineEnd}${lineEnd}`;
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

export const messagesWriter: AnswerWriter = {
  block(block) {
    if (block.kind === "text") return `{"type":"text", "text":${JSON.stringify(block.text)},"odd":${block.odd}}`;
    const { id, name, input, odd } = block;
    return `{"type":"tool_use","id":"${id}" ,"name":"${name}","input":${input},"odd":${odd}}`;
  },
  whole: ({ stop, odd }, blocks, { id, usage }) =>
    `{ "id":"${id}","type":"message","role":"assistant","odd":${odd},"model":"m","content":${blocks}, "stop_reason": "${stop}","stop_sequence":null,"usage":${usage}}`,
  frames(block, { index }, { style }) {
    const isText = block.kind === "text";
    const deltas = isText ? pieces(block.text) : block.isEarly ? [] : pieces(block.input);
    const start = isText
      ? '{"type":"text","text":""}'
      : `{"type":"tool_use","id":"${block.id}","name":"${block.name}","input":${block.isEarly ? block.input : "{}"}}`;
    const field = isText ? "text" : "partial_json";
    const type = isText ? "text_delta" : "input_json_delta";
    const event = (name: string, more: string): string =>
      frame(name, `{"type":"${name}","index": ${index},${more}"odd":${block.odd}}`, style);
    return [
      event("content_block_start", `"content_block":${start},`),
      ...deltas.map((piece) =>
        event("content_block_delta", `"delta":{"type":"${type}","${field}":${JSON.stringify(piece)}},`),
      ),
      event("content_block_stop", ""),
    ];
  },
  begin: ({ id, style }) => [
    frame(
      "message_start",
      `{"type":"message_start","message":{"id":"${id}","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}}`,
      style,
    ),
  ],
  end: ({ stop, odd }, _facts, { usage, style }) => [
    frame(
      "message_delta",
      `{"type":"message_delta","odd":${odd},"delta":{"stop_reason":"${stop}","stop_sequence":null},"usage":${usage}}`,
      style,
    ),
    frame("message_stop", '{"type":"message_stop"}', style),
  ],
};

export const responsesWriter: AnswerWriter = {
  block(block) {
    if (block.kind === "text")
      return `{"type":"message","role":"assistant","odd":${block.odd},"content":[{"type":"output_text","text":${JSON.stringify(block.text)}}]}`;
    const { id, name, input, odd } = block;
    return `{"type":"function_call","call_id":"${id}" ,"odd":${odd},"name":"${name}","arguments":${JSON.stringify(input)}}`;
  },
  whole: ({ stop, odd }, blocks, { id, usage }) =>
    `{"id": "${id}","object":"response","odd":${odd},"status":"${stop === "max_tokens" ? "incomplete" : "completed"}","output":${blocks} ,"usage":${usage}}`,
  frames(block, { index, next }, { style }) {
    const item = responsesWriter.block(block);
    const event = (name: string, more: string): string =>
      frame(name, `{"type":"${name}","sequence_number":${next()},"output_index": ${index},${more}}`, style);
    const deltas = block.kind === "call" ? pieces(block.input) : pieces(block.text);
    const name = block.kind === "call" ? "response.function_call_arguments.delta" : "response.output_text.delta";
    return [
      event("response.output_item.added", `"item":${item}`),
      ...deltas.map((delta) => event(name, `"odd":${block.odd},"delta":${JSON.stringify(delta)}`)),
      event("response.output_item.done", `"item":${item}`),
    ];
  },
  begin: ({ id, style }) => [
    frame(
      "response.created",
      `{"type":"response.created","sequence_number":0,"response":{"id": "${id}","status":"in_progress"}}`,
      style,
    ),
  ],
  end(round, { next, blocks }, written) {
    const name = round.stop === "max_tokens" ? "response.incomplete" : "response.completed";
    const response = responsesWriter.whole(round, `[${blocks.join(",")}]`, written);
    return [frame(name, `{"type":"${name}","sequence_number":${next()},"response":${response}}`, written.style)];
  },
};
