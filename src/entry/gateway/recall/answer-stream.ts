import { isObject, type JsonObject, objectField, parseJson, parseObject, textField } from "../../../core/json.ts";
import { renderSseFrame, type SseFrame } from "../../../library/stream/sse-frames.ts";
import type { Span } from "../request/json-spans.ts";
import { findMember, renderValue, setMembers } from "../request/set-members.ts";
import { type Ending, isAsked, mergeUsage, type Round, type RoundBlock } from "./round.ts";

/** Joins several upstream answers into one for the client: one beginning, consecutive block numbers, one end. */
export interface AnswerStream {
  /** The part of a frame that goes to the client now. */
  take(frame: SseFrame): readonly Uint8Array[];
  /** The upstream's answer once it is whole; later frames belong to the next one. */
  endRound(): Round | undefined;
  /** What was held back of an answer that ended early. */
  giveUp(): readonly Uint8Array[];
  /** The end for the client: as it came, except for what `ending` changes. */
  close(ending: Ending): readonly Uint8Array[];
}

interface Block {
  /** Its number for the client; `undefined` if the client does not see it. */
  readonly index: number | undefined;
  readonly growing: ReturnType<typeof createGrowingBlock>;
}

export function createAnswerStream(tool: string): AnswerStream {
  let isBegun = false;
  let nextIndex = 0;
  let blocks = new Map<number, Block>();
  let usage: JsonObject = {};
  let last: { readonly frame: SseFrame; readonly event: JsonObject } | undefined;
  let stop: SseFrame | undefined;
  let isOver = false;
  let isHeld = false;

  const open = (frame: SseFrame, event: JsonObject): void => {
    const { index, content_block: start } = event;
    if (typeof index !== "number" || !isObject(start)) return;
    const isHidden = isAsked({ raw: start }, tool);
    const bytes = findMember(dataOf(frame), "content_block") ?? renderValue(start);
    blocks.set(index, { index: isHidden ? undefined : nextIndex++, growing: createGrowingBlock(start, bytes) });
  };

  return {
    take(frame) {
      const event = parseObject(frame.data ?? "");
      if (event.type === "message_start") {
        usage = objectField(objectField(event, "message") ?? {}, "usage") ?? {};
        const isFirst = !isBegun;
        isBegun = true;
        return isFirst ? [frame.raw] : [];
      }
      if (event.type === "message_delta") {
        last = { frame, event };
        isHeld = true;
        if (isObject(event.usage)) usage = mergeUsage(usage, event.usage);
        return [];
      }
      if (event.type === "message_stop") {
        stop = frame;
        isOver = true;
        return [];
      }
      if (event.type === "content_block_start") open(frame, event);
      const block = typeof event.index === "number" ? blocks.get(event.index) : undefined;
      if (!block) return [frame.raw];
      if (isObject(event.delta)) block.growing.add(event.delta);
      if (block.index === undefined) return [];
      if (block.index === event.index) return [frame.raw];
      return [spliceFrame(frame, setMembers(dataOf(frame), { index: renderValue(block.index) }))];
    },
    endRound() {
      if (!isOver || !last) return undefined;
      isOver = false;
      isHeld = false;
      const stopReason = textField(objectField(last.event, "delta") ?? {}, "stop_reason");
      const round = { blocks: [...blocks.values()].map(({ growing }) => growing.whole()), stopReason, usage };
      blocks = new Map();
      return round;
    },
    giveUp: () => (isHeld && last ? [last.frame.raw] : []),
    close(ending) {
      const end = last && endWith(last.frame, ending);
      return [...(end ? [end] : []), ...(stop ? [stop.raw] : [])];
    },
  };
}

function endWith(frame: SseFrame, { usage, stopReason }: Ending): Uint8Array {
  if (usage === undefined && stopReason === undefined) return frame.raw;
  const data = dataOf(frame);
  const delta = findMember(data, "delta") ?? Buffer.from("{}");
  return spliceFrame(
    frame,
    setMembers(data, {
      delta: stopReason === undefined ? undefined : setMembers(delta, { stop_reason: renderValue(stopReason) }),
      usage: usage && renderValue(usage),
    }),
  );
}

const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "signature",
};

/** `bytes` is the start as written: a block that no delta changes keeps them, and so does the input of a call. */
function createGrowingBlock(start: JsonObject, bytes: Buffer) {
  const grown: Record<string, JsonObject[string]> = {};
  let input = "";
  return {
    add(delta: JsonObject): void {
      const { type, partial_json, citation } = delta;
      const field = typeof type === "string" ? TEXT_FIELDS[type] : undefined;
      if (field !== undefined) grown[field] = `${grown[field] ?? start[field] ?? ""}${delta[field] ?? ""}`;
      else if (type === "input_json_delta" && typeof partial_json === "string") input += partial_json;
      else if (type === "citations_delta" && citation !== undefined) {
        const before = grown.citations ?? start.citations;
        grown.citations = [...(Array.isArray(before) ? before : []), citation];
      }
    },
    whole(): RoundBlock {
      const parsed = parseJson(input);
      const written = Object.fromEntries(Object.entries(grown).map(([key, value]) => [key, renderValue(value)]));
      const raw = { ...start, ...grown };
      if (!isObject(parsed)) return { raw, bytes: setMembers(bytes, written) };
      const given = { ...written, input: Buffer.from(input.trim()) };
      return { raw: { ...raw, input: parsed }, bytes: setMembers(bytes, given) };
    },
  };
}

const NAME = Buffer.from("data:");
const LF = 0x0a;
const CR = 0x0d;
const BLANK = 0x20;

/** The JSON of a frame as written. Several data lines are joined as a client joins them. */
export function dataOf(frame: SseFrame): Buffer {
  const line = findDataLine(frame);
  return line ? Buffer.from(frame.raw).subarray(line.start, line.end) : Buffer.from(frame.data ?? "");
}

/** A frame with other JSON in it: its name, other lines and line ends stay as they came. */
export function spliceFrame(frame: SseFrame, data: Buffer): Uint8Array {
  const line = findDataLine(frame);
  if (line) return Buffer.concat([frame.raw.subarray(0, line.start), data, frame.raw.subarray(line.end)]);
  const { event, id, retryMs, comments } = frame;
  return renderSseFrame({
    event,
    data: data.toString("utf8"),
    ...(id === undefined ? {} : { id }),
    ...(retryMs === undefined ? {} : { retryMs }),
    comments,
  });
}

/** The place of the data in a frame that has one line of it. */
function findDataLine({ raw }: SseFrame): Span | undefined {
  let found: Span | undefined;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
  for (let start = 0; start < bytes.length; ) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LF && bytes[end] !== CR) end++;
    if (bytes.subarray(start, start + NAME.length).equals(NAME)) {
      if (found) return undefined;
      const from = start + NAME.length;
      found = { start: bytes[from] === BLANK ? from + 1 : from, end };
    }
    start = end + 1;
  }
  return found;
}
