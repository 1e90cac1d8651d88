import type { JsonObject } from "../../../core/json.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import { isParsedObject, parseJson } from "../parse-json.ts";
import { findMember, renderValue, setMembers } from "../request/set-members.ts";
import { createGrowingBlock, type GrowingBlock } from "./assemble-block.ts";
import { type Ending, isAsked, mergeUsage, type Round } from "./round.ts";
import { dataOf, spliceFrame } from "./splice-frame.ts";

/** One answer to the client out of several of the upstream: one beginning, blocks numbered through, one end. */
export interface AnswerStream {
  /** What of a frame goes to the client now. */
  take(frame: SseFrame): readonly Uint8Array[];
  /** The upstream's answer, once it is whole; the next frames are of the next one. */
  endRound(): Round | undefined;
  /** What was held back of an answer that ended before it was whole. */
  giveUp(): readonly Uint8Array[];
  /** The end for the client: as it came, but for what the ending says. */
  close(ending: Ending): readonly Uint8Array[];
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
    const told = isParsedObject(event.message) ? event.message.usage : undefined;
    usage = isParsedObject(told) ? told : {};
    const isFirst = !isBegun;
    isBegun = true;
    return isFirst ? [frame.raw] : [];
  };
  const open = (frame: SseFrame, event: JsonObject): void => {
    const { index, content_block: start } = event;
    if (typeof index !== "number" || !isParsedObject(start)) return;
    const isHidden = isAsked({ raw: start }, tool);
    const bytes = findMember(dataOf(frame), "content_block") ?? renderValue(start);
    blocks.set(index, { index: isHidden ? undefined : nextIndex++, growing: createGrowingBlock(start, bytes) });
  };

  return {
    take(frame) {
      const event = frame.data === undefined ? undefined : parseJson(frame.data);
      if (!isParsedObject(event)) return [frame.raw];
      if (event.type === "message_start") return begin(frame, event);
      if (event.type === "message_delta") {
        last = { frame, event };
        isHeld = true;
        if (isParsedObject(event.usage)) usage = mergeUsage(usage, event.usage);
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
      if (isParsedObject(event.delta)) block.growing.add(event.delta);
      if (block.index === undefined) return [];
      if (block.index === event.index) return [frame.raw];
      return [spliceFrame(frame, setMembers(dataOf(frame), { index: renderValue(block.index) }))];
    },
    endRound() {
      if (!isOver || !last) return undefined;
      isOver = false;
      isHeld = false;
      const { delta } = last.event;
      const stopReason = isParsedObject(delta) && typeof delta.stop_reason === "string" ? delta.stop_reason : "";
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
