import type { JsonObject } from "../../../core/json.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import { isParsedObject, parseJson } from "../parse-json.ts";
import type { AnswerStream } from "../recall/answer-stream.ts";
import { isAsked, listShown, pairBlocks, type RoundBlock } from "../recall/round.ts";
import { dataOf, spliceFrame } from "../recall/splice-frame.ts";
import { findMember, renderList, renderValue, setMembers } from "../request/set-members.ts";
import { decideStop } from "./answer.ts";

const BEGINNINGS: ReadonlySet<unknown> = new Set(["response.created", "response.in_progress", "response.queued"]);
const ENDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
]);

/** One streamed answer out of several of the upstream: one beginning, items and events numbered through, one end. */
export function createResponseStream(tool: string): AnswerStream {
  /** The id of the first answer, as it is written. */
  let id: Buffer | undefined;
  let isFirst = true;
  let nextIndex = 0;
  let nextNumber = 0;
  let shift = 0;
  /** The client's number of each item; `undefined` for one that it does not see. */
  let indices = new Map<number, number | undefined>();
  let items: RoundBlock[] = [];
  const shown: Buffer[] = [];
  let isHidden = false;
  let last: { readonly frame: SseFrame; readonly event: JsonObject } | undefined;
  let isOver = false;

  /** The client's number of an event, where it is another one. */
  const number = ({ sequence_number: came }: JsonObject): Buffer | undefined => {
    if (typeof came !== "number") return undefined;
    nextNumber = Math.max(nextNumber, came + shift + 1);
    return shift === 0 ? undefined : renderValue(came + shift);
  };
  const place = (index: number, item: JsonObject | undefined): number | undefined => {
    if (!indices.has(index)) indices.set(index, item && isAsked({ raw: item }, tool) ? undefined : nextIndex++);
    return indices.get(index);
  };
  const handOn = (frame: SseFrame, values: Readonly<Record<string, Buffer | undefined>>): readonly Uint8Array[] =>
    Object.values(values).every((value) => value === undefined)
      ? [frame.raw]
      : [spliceFrame(frame, setMembers(dataOf(frame), values))];

  return {
    take(frame) {
      const came = frame.data === undefined ? undefined : parseJson(frame.data);
      if (!isParsedObject(came)) return [frame.raw];
      if (BEGINNINGS.has(came.type)) {
        id ??= findMember(findMember(dataOf(frame), "response") ?? Buffer.alloc(0), "id");
        if (isFirst) number(came);
        return isFirst ? [frame.raw] : [];
      }
      if (ENDS.has(came.type)) {
        last = { frame, event: came };
        isOver = true;
        return [];
      }
      const { output_index: index } = came;
      if (typeof index !== "number") return handOn(frame, { sequence_number: number(came) });
      const item = isParsedObject(came.item) ? came.item : undefined;
      const own = place(index, item);
      if (came.type === "response.output_item.done" && item)
        items.push({ raw: item, bytes: findMember(dataOf(frame), "item") ?? renderValue(item) });
      if (own === undefined) return [];
      return handOn(frame, {
        sequence_number: number(came),
        output_index: own === index ? undefined : renderValue(own),
      });
    },
    endRound() {
      if (!isOver || !last) return undefined;
      isOver = false;
      isFirst = false;
      shift = nextNumber;
      const response = isParsedObject(last.event.response) ? last.event.response : {};
      const written = findMember(dataOf(last.frame), "response") ?? Buffer.from("{}");
      const usage = isParsedObject(response.usage) ? response.usage : {};
      // Where the end tells of the items again, it is the word that counts for them.
      const told = pairBlocks(response.output, findMember(written, "output"));
      const blocks = told && told.length > 0 ? told : items;
      const round = { blocks, stopReason: decideStop(blocks, ENDS.get(last.event.type) ?? ""), usage };
      const seen = listShown(round, tool);
      if (seen.length < blocks.length) isHidden = true;
      shown.push(...seen.map(({ bytes }) => bytes));
      indices = new Map();
      items = [];
      return round;
    },
    giveUp: () => (isOver && last ? [last.frame.raw] : []),
    close({ usage }) {
      if (!last) return [];
      if (!usage && !isHidden) return [last.frame.raw];
      const { frame, event } = last;
      const data = dataOf(frame);
      const isTold = isParsedObject(event.response) && Array.isArray(event.response.output);
      const response = setMembers(findMember(data, "response") ?? Buffer.from("{}"), {
        id,
        usage: usage && renderValue(usage),
        output: isTold ? renderList(shown) : undefined,
      });
      const values = { sequence_number: renderValue(nextNumber), response };
      return [spliceFrame(frame, setMembers(data, values))];
    },
  };
}
