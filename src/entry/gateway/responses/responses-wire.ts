import { countField, isObject, type JsonObject, objectField, parseJson, parseObject } from "../../../core/json.ts";
import { hostOfWire } from "../../../hosts/catalogue.ts";
import type { SseFrame } from "../../../library/stream/sse-frames.ts";
import { createResponsesFormat, groupItems, roleOf } from "../../../wire/openai-responses/items.ts";
import { type AnswerStream, dataOf, spliceFrame } from "../recall/answer-stream.ts";
import { isAsked, isCall, listShown, PLAIN_STOP, pairBlocks, type RoundBlock } from "../recall/round.ts";
import { scanRow } from "../request/json-spans.ts";
import { hasClearing } from "../request/request-fields.ts";
import { findMember, renderList, renderRow, renderValue, setMembers } from "../request/set-members.ts";
import type { Wire } from "../wire.ts";
import { expandInput, isTrigger, putAwayInput, renderCompaction } from "./expand-input.ts";

const BEGINNINGS: ReadonlySet<unknown> = new Set(["response.created", "response.in_progress", "response.queued"]);
const ENDS: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ["response.completed", "completed"],
  ["response.incomplete", "incomplete"],
]);

/** Joins several upstream streams into one: one beginning, consecutive numbers of items and events, one end. */
export function createResponseStream(tool: string): AnswerStream {
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

  /** The client's number of an event, if it differs. */
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
      const came = parseObject(frame.data ?? "");
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
      const item = isObject(came.item) ? came.item : undefined;
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
      const response = objectField(last.event, "response") ?? {};
      const written = findMember(dataOf(last.frame), "response") ?? Buffer.from("{}");
      const usage = objectField(response, "usage") ?? {};
      // If the end repeats the items, those count.
      const pairs = pairBlocks(response.output, findMember(written, "output"));
      const blocks = pairs && pairs.length > 0 ? pairs : items;
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
      const isReported = isObject(event.response) && Array.isArray(event.response.output);
      const response = setMembers(findMember(data, "response") ?? Buffer.from("{}"), {
        id,
        usage: usage && renderValue(usage),
        output: isReported ? renderList(shown) : undefined,
      });
      const values = { sequence_number: renderValue(nextNumber), response };
      return [spliceFrame(frame, setMembers(data, values))];
    },
  };
}

/** This API gives no stop reason: an answer ends with calls, with text, or early. */
function decideStop(items: readonly RoundBlock[], status: string): string {
  if (status !== "completed") return status;
  return items.some(({ raw }) => isCall(raw)) ? "tool_use" : PLAIN_STOP;
}

const client = hostOfWire("openai-responses");

export const responsesWire: Wire = {
  route: "responses",
  client,
  list: "input",
  format: createResponsesFormat(client.decidePromptAuthor),
  countBase(elements) {
    const spoken = elements.findIndex((item) => !isObject(item) || roleOf(item) !== "system");
    return spoken < 0 ? elements.length : spoken;
  },
  group(elements) {
    const items = elements.filter(isObject);
    // An item that only refers to another one does not say who spoke.
    const isWhole = items.length === elements.length && items.every(({ type }) => type !== "item_reference");
    return isWhole ? groupItems(items) : undefined;
  },
  isLastOpen: true,
  parseFields({ read, text, measure, placeList }) {
    // If the API stores the conversation, this is only its end: nothing may be removed from it.
    const isElsewhere = ["previous_response_id", "conversation"].some((key) => (read(key) ?? null) !== null);
    if (isElsewhere || read("background") === true) return undefined;
    const choice = read("tool_choice");
    return {
      model: text("model"),
      isStream: read("stream") === true,
      userId: "",
      isClearedByServer: hasClearing(read("context_management")),
      baseBytes: measure("instructions") + measure("tools"),
      tools: placeList("tools"),
      system: undefined,
      // In the other API's words, which the policy knows.
      toolChoice: isObject(choice) ? String(choice.type) : text("tool_choice").replace(/^required$/, "any"),
    };
  },
  // What the model said may be behind a handle of ours, which only parsing finds.
  isBeginning: () => false,
  isCompaction({ raws }, headers) {
    const last = raws.at(-1)?.content;
    if (Array.isArray(last) && isTrigger(last.at(-1))) return true;
    const turnHeader = headers["x-codex-turn-metadata"];
    const metadata = typeof turnHeader === "string" ? parseJson(turnHeader) : undefined;
    return isObject(metadata) && metadata.request_kind === "compaction";
  },
  compaction: { putAway: putAwayInput, render: renderCompaction, expand: expandInput },
  bytes: {
    render: ({ content }, source) =>
      renderRow(typeof content === "string" ? [] : content.map((item) => source(item) ?? renderValue(item))),
    scanBlocks: scanRow,
    renderTool(name, { description, parameters }) {
      return { type: "function", name, description, strict: false, parameters };
    },
    renderPicture(mediaType, data) {
      const url = `data:${mediaType};base64,${data}`;
      return mediaType.startsWith("image/")
        ? { type: "input_image", image_url: url }
        : { type: "input_file", filename: `recalled.${mediaType.replace(/^.*\//, "")}`, file_data: url };
    },
  },
  answers: {
    createStream: createResponseStream,
    // One that failed is no answer.
    parse(answer) {
      const response = parseObject(answer.toString("utf8"));
      const { output, status } = response;
      if (status !== "completed" && status !== "incomplete") return undefined;
      const blocks = pairBlocks(output, findMember(answer, "output"));
      const usage = objectField(response, "usage") ?? {};
      return blocks && { blocks, stopReason: decideStop(blocks, status), usage };
    },
    render: (answer, { first, shown, usage }) =>
      setMembers(answer, {
        id: findMember(first, "id"),
        output: renderList(shown),
        usage: usage && renderValue(usage),
      }),
    renderFailure(words, answered) {
      const error = answered && isObject(answered.error) ? answered.error : {};
      const message = typeof error.message === "string" ? error.message : words;
      const code = typeof error.code === "string" ? error.code : "server_error";
      return { type: "response.failed", response: { status: "failed", error: { code, message } } };
    },
    // Here cached tokens are part of the input; in ours they are separate.
    parseUsage(raw) {
      const usage = isObject(raw) ? raw : {};
      const details = objectField(usage, "input_tokens_details") ?? {};
      const cacheReadTokens = countField(details, "cached_tokens");
      const cacheWrite5mTokens = countField(details, "cache_write_tokens");
      const inputTokens = Math.max(0, countField(usage, "input_tokens") - cacheReadTokens - cacheWrite5mTokens);
      const outputTokens = countField(usage, "output_tokens");
      return { inputTokens, cacheReadTokens, cacheWrite5mTokens, cacheWrite1hTokens: 0, outputTokens };
    },
    usageEvents: new Set(["response.completed", "response.incomplete", "response.failed"]),
  },
};
