import type { JsonObject } from "../../../core/json.ts";
import { renderSseFrame } from "../../../library/stream/render-sse-frame.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import { isJsonObject } from "../../../wire/is-json.ts";
import { parseJson } from "../parse-json.ts";
import { createGrowingBlock, type GrowingBlock } from "./assemble-block.ts";
import { isAsked, mergeUsage, type Round } from "./round.ts";

/** One answer to the client out of several of the upstream: one beginning, blocks numbered through, one end. */
export interface AnswerStream {
  /** What of a frame goes to the client now. */
  take(frame: SseFrame): readonly Uint8Array[];
  /** The upstream's answer, once it is whole; the next frames are of the next one. */
  endRound(): Round | undefined;
  /** What was held back of an answer that ended before it was whole. */
  giveUp(): readonly Uint8Array[];
  /** The end for the client: as it came, unless something else is to be told. */
  close(ending?: Ending): readonly Uint8Array[];
}

export interface Ending {
  /** Of all requests together. */
  readonly usage: JsonObject;
  readonly stopReason: string;
}

interface Block {
  /** Its number for the client; `undefined` where the client does not see it. */
  readonly index: number | undefined;
  readonly growing: GrowingBlock;
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

  const begin = (frame: SseFrame, event: JsonObject): readonly Uint8Array[] => {
    const told = isJsonObject(event.message) ? event.message.usage : undefined;
    usage = isJsonObject(told) ? told : {};
    const isFirst = !isBegun;
    isBegun = true;
    return isFirst ? [frame.raw] : [];
  };
  const open = (event: JsonObject): void => {
    const { index, content_block: start } = event;
    if (typeof index !== "number" || !isJsonObject(start)) return;
    const isHidden = isAsked(start, tool);
    blocks.set(index, { index: isHidden ? undefined : nextIndex++, growing: createGrowingBlock(start) });
  };

  return {
    take(frame) {
      const event = frame.data === undefined ? undefined : parseJson(frame.data);
      if (!isJsonObject(event)) return [frame.raw];
      if (event.type === "message_start") return begin(frame, event);
      if (event.type === "message_delta") {
        last = { frame, event };
        isHeld = true;
        if (isJsonObject(event.usage)) usage = mergeUsage(usage, event.usage);
        return [];
      }
      if (event.type === "message_stop") {
        stop = frame;
        isOver = true;
        return [];
      }
      if (event.type === "content_block_start") open(event);
      const block = typeof event.index === "number" ? blocks.get(event.index) : undefined;
      if (!block) return [frame.raw];
      if (isJsonObject(event.delta)) block.growing.add(event.delta);
      if (block.index === undefined) return [];
      return [block.index === event.index ? frame.raw : render({ ...event, index: block.index })];
    },
    endRound() {
      if (!isOver || !last) return undefined;
      isOver = false;
      isHeld = false;
      const { delta } = last.event;
      const stopReason = isJsonObject(delta) && typeof delta.stop_reason === "string" ? delta.stop_reason : "";
      const round = { blocks: [...blocks.values()].map(({ growing }) => growing.whole()), stopReason, usage };
      blocks = new Map();
      return round;
    },
    giveUp: () => (isHeld && last ? [last.frame.raw] : []),
    close(ending) {
      const end = last && (ending ? render(endWith(last.event, ending)) : last.frame.raw);
      return [...(end ? [end] : []), ...(stop ? [stop.raw] : [])];
    },
  };
}

function endWith(event: JsonObject, { usage, stopReason }: Ending): JsonObject {
  const delta = isJsonObject(event.delta) ? event.delta : {};
  return { ...event, delta: { ...delta, stop_reason: stopReason }, usage };
}

function render(event: JsonObject): Uint8Array {
  const name = typeof event.type === "string" ? event.type : "";
  return renderSseFrame({ event: name, data: JSON.stringify(event) });
}
