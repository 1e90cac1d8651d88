import { type SessionEvent, untoldCompaction } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { countField, isObject, listField, numberField, objectField, textField, timeField } from "../../core/json.ts";
import type { Author, Block, ResultPart } from "../../core/message.ts";
import { readRecordedUsd, sumContextTokens, type Usage } from "../../core/usage.ts";
import {
  createArrival,
  createCall,
  createImage,
  createOpaque,
  createResult,
  createText,
  createThinking,
  type ToldEvent,
  typeOf,
} from "../create-events.ts";
import { MALFORMED, type ReadRecord, type RecordReader } from "../open-lines.ts";
import { emptyEntry, type TranscriptEntry } from "../transcript-entry.ts";

const IGNORED_TYPES = new Set(
  "thinking_level_change model_change custom label service_tier_change context_edit".split(" "),
);

/** A session file: a tree of entries, each with its parent. Files before version 2 have no ids, and are a plain list. */
export function createSessionReader(): RecordReader {
  let who: Pick<TranscriptEntry, "sessionId" | "version" | "cwd"> = { sessionId: "", version: "", cwd: "" };
  let last = "";
  const parents = new Map<string, string>();
  const order: string[] = [];

  const listKept = (record: JsonObject, parent: string): readonly string[] => {
    const first =
      textField(record, "firstKeptEntryId") || order[numberField(record, "firstKeptEntryIndex") ?? -1] || "";
    const kept: string[] = [];
    for (let id = parent; id !== ""; id = parents.get(id) ?? "") {
      kept.unshift(id);
      if (id === first) return kept;
    }
    // The first kept entry is missing, so none is known to be kept.
    return [];
  };

  const readCompaction = (record: JsonObject, told: ToldEvent, parent: string): readonly SessionEvent[] => [
    {
      ...untoldCompaction(told.origin, told.atMs),
      preTokens: numberField(record, "tokensBefore"),
      preserved: listKept(record, parent),
    },
    createArrival(createText(textField(record, "summary"), "host"), { ...told, source: "summary" }),
  ];

  const readEntry = (type: string, record: JsonObject, told: ToldEvent, parentUuid: string): ReadRecord => {
    const tell = (events: readonly SessionEvent[], more: Partial<TranscriptEntry> = {}): ReadRecord => {
      const place = { type: nameType(type, events), uuid: told.origin, parentUuid };
      return { fate: "parsed", entries: [{ ...emptyEntry, ...who, ...place, events, ...more }] };
    };
    switch (type) {
      case "message": {
        const message = objectField(record, "message");
        if (!message) return MALFORMED;
        const events = parseMessage(message, told);
        return events ? tell(events) : { ...tell([]), fate: "unknown" };
      }
      case "compaction":
        return tell(readCompaction(record, told, parentUuid));
      case "branch_summary":
        return tell([note(textField(record, "summary"), "branch_summary", told)]);
      case "custom_message":
        return tell(readCustom(record, told));
      // A request outside of the conversation, such as to keep a cache warm.
      case "usage":
        return tell([], { asides: readUsage(record, told) });
      case "session_info":
        return tell([], { title: textField(record, "name") });
      default:
        // An empty entry, which others may have as a parent.
        return { ...tell([]), fate: IGNORED_TYPES.has(type) ? "ignored" : "unknown" };
    }
  };

  return {
    read(record, index) {
      const type = textField(record, "type");
      if (type === "") return MALFORMED;
      const told: ToldEvent = { origin: textField(record, "id") || `e${index}`, atMs: timeField(record, "timestamp") };
      order[index] = told.origin;
      if (type === "session") {
        const version = numberField(record, "version");
        who = {
          sessionId: textField(record, "id"),
          version: version === undefined ? "" : `session ${version}`,
          cwd: textField(record, "cwd"),
        };
        return { fate: "parsed", entries: [{ ...emptyEntry, ...who, type }] };
      }
      const parent = "parentId" in record ? textField(record, "parentId") : last;
      parents.set(told.origin, parent);
      last = told.origin;
      return readEntry(type, record, told, parent);
    },
  };
}

/** Titles are taken from what the person said. */
function nameType(type: string, events: readonly SessionEvent[]): string {
  return events.some((event) => event.kind === "arrival" && event.source === "prompt") ? "user" : type;
}

function readCustom(record: JsonObject, told: ToldEvent): readonly SessionEvent[] {
  const label = textField(record, "customType") || "custom_message";
  const parts = listField(record, "content").filter(isObject);
  const texts = typeof record.content === "string" ? [record.content] : parts.map((part) => textField(part, "text"));
  return texts.map((text) => note(text, label, told));
}

function readUsage(record: JsonObject, told: ToldEvent): readonly SessionEvent[] {
  const usage = parseUsage(objectField(record, "usage"));
  if (!usage) return [];
  const model = textField(record, "model") || textField(record, "modelId");
  return [
    { kind: "output", ...told, stepId: `${told.origin}@${told.atMs}`, model, usage, isOutputFinal: true, blocks: [] },
  ];
}

/** The current branch: from the last entry back along the parents. */
export function selectBranch(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  const byId = new Map(entries.map((entry) => [entry.uuid, entry]));
  const chosen = new Set<TranscriptEntry>();
  let entry = entries.findLast(({ uuid }) => uuid !== "");
  while (entry && !chosen.has(entry)) {
    chosen.add(entry);
    entry = entry.parentUuid === "" ? undefined : byId.get(entry.parentUuid);
  }
  return entries.filter((candidate) => chosen.has(candidate));
}

/** A message of the client as events; `undefined` for an unknown role. */
function parseMessage(message: JsonObject, told: ToldEvent): readonly SessionEvent[] | undefined {
  switch (textField(message, "role")) {
    case "assistant":
      return parseAnswer(message, told);
    case "user":
      return parseContent(message.content, "person").map((block) =>
        createArrival(block, { ...told, source: "prompt" }),
      );
    case "toolResult":
      return [parseResult(message, told)];
    case "bashExecution":
      return message.excludeFromContext === true ? [] : [note(renderBash(message), "bashExecution", told)];
    case "branchSummary":
    case "compactionSummary":
      return [note(textField(message, "summary"), "summary", told)];
    case "custom":
    case "system":
    case "hookMessage":
      return parseContent(message.content, "host").map((block) =>
        createArrival(block, { ...told, source: "attachment", label: textField(message, "customType") || "system" }),
      );
    default:
      return undefined;
  }
}

/** An aborted or failed answer is billed if it was counted, but the client does not send it again. */
function parseAnswer(message: JsonObject, told: ToldEvent): readonly SessionEvent[] {
  const usage = parseUsage(objectField(message, "usage"));
  const stop = textField(message, "stopReason");
  const isDropped = stop === "aborted" || stop === "error";
  if (isDropped && !usage) return [];
  return [
    {
      kind: "output",
      ...told,
      stepId: textField(message, "responseId") || `${told.origin}@${told.atMs}`,
      model: textField(message, "model"),
      usage,
      isOutputFinal: true,
      ...(stop === "stop" || stop === "toolUse" ? { isTurnEnd: stop === "stop" } : {}),
      blocks: isDropped ? [] : parseContent(message.content, "model"),
    },
  ];
}

function parseContent(content: Json | undefined, author: Author): readonly Block[] {
  if (typeof content === "string") return [createText(content, author)];
  return Array.isArray(content) ? content.filter(isObject).map((part) => parseBlock(part, author)) : [];
}

function parseBlock(part: JsonObject, author: Author): Block {
  switch (part.type) {
    case "text":
      return createText(textField(part, "text"), author);
    case "thinking":
      return createThinking(textField(part, "thinking"), textField(part, "thinkingSignature"));
    case "toolCall":
      return createCall(textField(part, "id"), textField(part, "name"), objectField(part, "arguments") ?? {});
    case "image":
      return createImage(part, textField(part, "data"), textField(part, "mimeType") || "image/png");
    default:
      return createOpaque(typeOf(part), part);
  }
}

function parseResult(message: JsonObject, told: ToldEvent): SessionEvent {
  const parts = parseContent(message.content, "host").map((block): ResultPart => {
    if (block.kind === "text") return { kind: "text", text: block.text };
    return block.kind === "image" ? block : { kind: "opaque", raw: message };
  });
  const block = createResult(textField(message, "toolCallId"), parts, { isError: message.isError === true });
  const detail = objectField(message, "details");
  return createArrival(block, { ...told, source: "toolResult", label: textField(message, "toolName"), detail });
}

function renderBash(message: JsonObject): string {
  const code = numberField(message, "exitCode");
  const ending = code === undefined || code === 0 ? "" : `\n\nCommand exited with code ${code}`;
  return `Ran \`${textField(message, "command")}\`\n${textField(message, "output")}${ending}`;
}

function note(text: string, label: string, told: ToldEvent): SessionEvent {
  return createArrival(createText(text, "host"), { ...told, source: "attachment", label });
}

/** `undefined` for a request that was aborted before its usage was counted. */
function parseUsage(raw: JsonObject | undefined): Usage | undefined {
  if (!raw) return undefined;
  const written = countField(raw, "cacheWrite");
  const cacheWrite1hTokens = Math.min(countField(raw, "cacheWrite1h"), written);
  const usage = {
    inputTokens: countField(raw, "input"),
    cacheReadTokens: countField(raw, "cacheRead"),
    cacheWrite5mTokens: written - cacheWrite1hTokens,
    cacheWrite1hTokens,
    outputTokens: countField(raw, "output"),
    ...readRecordedUsd(numberField(objectField(raw, "cost") ?? {}, "total")),
  };
  return sumContextTokens(usage) + usage.outputTokens > 0 ? usage : undefined;
}
