import type { JsonObject } from "../../../core/json.ts";
import { renderSseFrame } from "../../../library/stream/render-sse-frame.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import { isJsonObject } from "../../../wire/is-json.ts";
import { parseJson } from "../parse-json.ts";
import type { AnswerStream } from "../recall/answer-stream.ts";
import { isAsked, listShown } from "../recall/round.ts";
import { decideStop } from "./answer.ts";

const BEGINNINGS: ReadonlySet<unknown> = new Set(["response.created", "response.in_progress", "response.queued"]);
const ENDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
]);

/** One streamed answer out of several of the upstream: one beginning, items and events numbered through, one end. */
export function createResponseStream(tool: string): AnswerStream {
  let first: JsonObject | undefined;
  let isFirst = true;
  let nextIndex = 0;
  let nextNumber = 0;
  let shift = 0;
  /** The client's number of each item; `undefined` for one that it does not see. */
  let indices = new Map<number, number | undefined>();
  let items: JsonObject[] = [];
  const shown: JsonObject[] = [];
  let last: { readonly frame: SseFrame; readonly event: JsonObject } | undefined;
  let isOver = false;

  const number = (event: JsonObject): JsonObject => {
    const { sequence_number: came } = event;
    if (typeof came !== "number") return event;
    nextNumber = Math.max(nextNumber, came + shift + 1);
    return shift === 0 ? event : { ...event, sequence_number: came + shift };
  };
  const place = (index: number, item: JsonObject | undefined): number | undefined => {
    if (!indices.has(index)) indices.set(index, item && isAsked(item, tool) ? undefined : nextIndex++);
    return indices.get(index);
  };

  return {
    take(frame) {
      const came = frame.data === undefined ? undefined : parseJson(frame.data);
      if (!isJsonObject(came)) return [frame.raw];
      if (BEGINNINGS.has(came.type)) {
        first ??= isJsonObject(came.response) ? came.response : {};
        if (isFirst) number(came);
        return isFirst ? [frame.raw] : [];
      }
      if (ENDS.has(came.type)) {
        last = { frame, event: came };
        isOver = true;
        return [];
      }
      const { output_index: index } = came;
      if (typeof index !== "number") {
        const event = number(came);
        return [event === came ? frame.raw : render(event)];
      }
      const item = isJsonObject(came.item) ? came.item : undefined;
      const own = place(index, item);
      if (came.type === "response.output_item.done" && item) items.push(item);
      if (own === undefined) return [];
      const event = number(came);
      return [event === came && own === index ? frame.raw : render({ ...event, output_index: own })];
    },
    endRound() {
      if (!isOver || !last) return undefined;
      isOver = false;
      isFirst = false;
      shift = nextNumber;
      const response = isJsonObject(last.event.response) ? last.event.response : {};
      const usage = isJsonObject(response.usage) ? response.usage : {};
      const round = { blocks: items, stopReason: decideStop(items, ENDS.get(last.event.type) ?? ""), usage };
      shown.push(...listShown(round, tool));
      indices = new Map();
      items = [];
      return round;
    },
    giveUp: () => (isOver && last ? [last.frame.raw] : []),
    close(ending) {
      if (!last) return [];
      if (!ending) return [last.frame.raw];
      const { event } = last;
      const response = isJsonObject(event.response) ? event.response : {};
      const output = Array.isArray(response.output) ? { output: shown } : {};
      const whole = { ...response, id: first?.id ?? response.id ?? null, usage: ending.usage, ...output };
      return [render({ ...event, sequence_number: nextNumber, response: whole })];
    },
  };
}

function render(event: JsonObject): Uint8Array {
  return renderSseFrame({ event: typeof event.type === "string" ? event.type : "", data: JSON.stringify(event) });
}
