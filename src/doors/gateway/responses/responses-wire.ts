import { hostOfWire } from "../../../hosts/catalogue.ts";
import { isRecord } from "../../../wire/is-json.ts";
import { createResponsesFormat, groupItems } from "../../../wire/openai-responses/items.ts";
import { roleOf } from "../../../wire/openai-responses/parse-item.ts";
import { parseResponsesUsage } from "../../../wire/openai-responses/parse-usage.ts";
import { renderRow } from "../messages-wire.ts";
import { parseJson } from "../parse-json.ts";
import { scanRow } from "../request/json-spans.ts";
import { listTypes } from "../request/request-fields.ts";
import type { Wire } from "../wire.ts";
import { parseResponse, renderResponse, renderResponseFailure } from "./answer.ts";
import { createResponseStream } from "./answer-stream.ts";
import { isTrigger, putAwayInput, renderCompaction } from "./compaction.ts";
import { expandInput } from "./expand-input.ts";

const client = hostOfWire("openai-responses");

/** The Responses API: a flat row of items, what one side says at a time taken together as a message. */
export const responsesWire: Wire = {
  route: "responses",
  client,
  names: client.headers ?? { session: "", agent: "" },
  list: "input",
  format: createResponsesFormat({ decideAuthor: client.decidePromptAuthor }),
  countBase(elements) {
    const spoken = elements.findIndex((item) => !isRecord(item) || roleOf(item) !== "system");
    return spoken < 0 ? elements.length : spoken;
  },
  group(elements) {
    const items = elements.filter(isRecord);
    // What only refers to something that lies elsewhere says nothing of who spoke.
    const isWhole = items.length === elements.length && items.every(({ type }) => type !== "item_reference");
    return isWhole ? groupItems(items) : undefined;
  },
  isLastOpen: true,
  parseFields({ read, text, measure, placeList }) {
    // Where the API itself remembers the conversation, this is only its end: nothing may be taken out of it.
    if (ELSEWHERE.some((key) => (read(key) ?? null) !== null) || read("background") === true) return undefined;
    const choice = read("tool_choice");
    return {
      model: text("model"),
      isStream: read("stream") === true,
      userId: "",
      serverEdits: listTypes(read("context_management")),
      baseBytes: measure("instructions") + measure("tools"),
      tools: placeList("tools"),
      system: undefined,
      toolChoice:
        typeof choice === "string" ? (CHOICES.get(choice) ?? choice) : isRecord(choice) ? String(choice.type) : "",
    };
  },
  // What the model said may stand behind a handle of ours, which only reading finds.
  isBeginning: () => false,
  isCompaction({ raws, headers }) {
    const last = raws.at(-1)?.content;
    if (Array.isArray(last) && isTrigger(last.at(-1))) return true;
    const told = headers["x-codex-turn-metadata"];
    const metadata = typeof told === "string" ? parseJson(told) : undefined;
    return isRecord(metadata) && metadata.request_kind === "compaction";
  },
  compaction: { putAway: putAwayInput, render: renderCompaction, expand: expandInput },
  bytes: {
    render: ({ content }, source) => Buffer.concat(typeof content === "string" ? [] : [...renderRow(content, source)]),
    scanBlocks: scanRow,
    renderTool: (name, { description, parameters }) => ({
      type: "function",
      name,
      description,
      strict: false,
      parameters,
    }),
    renderPicture(mediaType, data) {
      const url = `data:${mediaType};base64,${data}`;
      return mediaType.startsWith("image/")
        ? { type: "input_image", image_url: url }
        : { type: "input_file", filename: `recalled.${mediaType.replace(/^.*\//, "")}`, file_data: url };
    },
  },
  answers: {
    createStream: createResponseStream,
    parse: parseResponse,
    render: renderResponse,
    renderFailure: renderResponseFailure,
    parseUsage: parseResponsesUsage,
    usageEvents: new Set(["response.completed", "response.incomplete", "response.failed"]),
  },
};

const ELSEWHERE = ["previous_response_id", "conversation"] as const;

/** In the words of the other API, which the policy knows. */
const CHOICES: ReadonlyMap<string, string> = new Map([["required", "any"]]);
