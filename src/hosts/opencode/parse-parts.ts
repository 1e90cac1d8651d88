import type { Arrival } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, objectField, textField } from "../../core/json-fields.ts";
import type { Block, ResultPart } from "../../core/message.ts";
import {
  createArrival,
  createCall,
  createImageOfUrl,
  createOpaque,
  createResult,
  createText,
  createThinking,
  type ToldEvent,
  typeOf,
} from "../create-events.ts";
import type { RecordFate } from "../open-lines.ts";

/** What the parts of a message say. */
export interface Parts {
  readonly blocks: readonly Block[];
  /** Results of the calls among them. */
  readonly results: readonly Arrival[];
  /** The part that stands for a compaction, where the message is one. */
  readonly compaction: JsonObject | undefined;
  readonly fates: readonly RecordFate[];
}

/** Marks of the client's own: where a request began and ended, and what changed in the project. */
const MARKS = new Set(["step-start", "step-finish", "snapshot", "patch", "retry", "agent", "subtask"]);

export function parseParts(parts: readonly JsonObject[], author: "person" | "model", told: ToldEvent): Parts {
  const blocks: Block[] = [];
  const results: Arrival[] = [];
  const fates: RecordFate[] = [];
  let compaction: JsonObject | undefined;
  for (const part of parts) {
    const block = parseBlock(part, author);
    if (block) blocks.push(block);
    if (part.type === "tool") results.push(...parseResult(part, told));
    if (part.type === "compaction") compaction = part;
    fates.push(decideFate(part, block));
  }
  return { blocks, results, compaction, fates };
}

function decideFate(part: JsonObject, block: Block | undefined): RecordFate {
  if (MARKS.has(typeOf(part)) || part.ignored === true) return "ignored";
  if (block?.kind === "opaque") return "unknown";
  return block || part.type === "compaction" ? "parsed" : "ignored";
}

function parseBlock(part: JsonObject, author: "person" | "model"): Block | undefined {
  const type = typeOf(part);
  if (MARKS.has(type) || type === "compaction" || part.ignored === true) return undefined;
  switch (type) {
    case "text":
      return createText(textField(part, "text"), part.synthetic === true ? "host" : author);
    case "reasoning":
      // What binds it is the provider's, under the provider's name.
      return createThinking(textField(part, "text"), JSON.stringify(part.metadata ?? ""));
    case "tool":
      return createCall(textField(part, "callID"), textField(part, "tool"), inputOf(part));
    case "file":
      return textField(part, "mime").startsWith("image/")
        ? createImageOfUrl(part, textField(part, "url"))
        : createText(textField(part, "filename"), "host");
    default:
      return createOpaque(type, part);
  }
}

function inputOf(part: JsonObject): JsonObject {
  return objectField(objectField(part, "state") ?? {}, "input") ?? {};
}

function parseResult(part: JsonObject, told: ToldEvent): readonly Arrival[] {
  const state = objectField(part, "state") ?? {};
  const isError = state.status === "error";
  if (!isError && state.status !== "completed") return [];
  const text: ResultPart = { kind: "text", text: textField(state, isError ? "error" : "output") };
  const pictures = listField(state, "attachments")
    .filter(isObject)
    .filter((file) => textField(file, "mime").startsWith("image/"))
    .map((file): ResultPart => createImageOfUrl(file, textField(file, "url")));
  const block = createResult(textField(part, "callID"), [text, ...pictures], { isError });
  const detail = objectField(state, "metadata");
  return [createArrival(block, { ...told, source: "toolResult", label: textField(part, "tool"), detail })];
}
