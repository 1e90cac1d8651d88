import { type SessionEvent, unreportedCompaction } from "../../core/event.ts";
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
  type EventStamp,
  typeOf,
} from "../create-events.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { MALFORMED, openLines, type ReadRecord, type RecordReader } from "../open-lines.ts";
import { emptyEntry, type TranscriptEntry } from "../transcript-entry.ts";
import { beginsSession, isOwnPath, piSessions } from "./disk/sessions.ts";
import { piVocabulary } from "./vocabulary.ts";

export const pi: Host = {
  ...recordsOnly,
  name: "pi",
  title: "pi",
  program: "pi",
  renderResume: (sessionId) => `pi -p --session ${sessionId}`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: piVocabulary,
  // pi compacts so many tokens before the end of the window.
  readCompactionSettings: () => ({ locate: (windowTokens) => windowTokens - 16_384 }),

  ...piSessions,

  isOwn: (path, readHead) => path.endsWith(".jsonl") && (isOwnPath(path) || beginsSession(readHead())),
  openTranscript: (path, options) => openLines(path, createSessionReader, options),
  selectConversation: selectBranch,
};

const IGNORED_TYPES = new Set(
  "thinking_level_change model_change custom label service_tier_change context_edit".split(" "),
);

/** A session file: a tree of entries, each with its parent. Files before version 2 have no ids, and are a plain list. */
function createSessionReader(): RecordReader {
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

  const readCompaction = (record: JsonObject, stamp: EventStamp, parent: string): readonly SessionEvent[] => [
    {
      ...unreportedCompaction(stamp.origin, stamp.atMs),
      preTokens: numberField(record, "tokensBefore"),
      preserved: listKept(record, parent),
    },
    createArrival(createText(textField(record, "summary"), "host"), { ...stamp, source: "summary" }),
  ];

  const readEntry = (type: string, record: JsonObject, stamp: EventStamp, parentUuid: string): ReadRecord => {
    const report = (events: readonly SessionEvent[], more: Partial<TranscriptEntry> = {}): ReadRecord => {
      const place = { type: nameType(type, events), uuid: stamp.origin, parentUuid };
      return { fate: "parsed", entries: [{ ...emptyEntry, ...who, ...place, events, ...more }] };
    };
    switch (type) {
      case "message": {
        const message = objectField(record, "message");
        if (!message) return MALFORMED;
        const events = parseMessage(message, stamp);
        return events ? report(events) : { ...report([]), fate: "unknown" };
      }
      case "compaction":
        return report(readCompaction(record, stamp, parentUuid));
      case "branch_summary":
        return report([note(textField(record, "summary"), "branch_summary", stamp)]);
      case "custom_message":
        return report(readCustom(record, stamp));
      // A request outside of the conversation, such as to keep a cache warm.
      case "usage":
        return report([], { asides: readUsage(record, stamp) });
      case "session_info":
        return report([], { title: textField(record, "name") });
      default:
        // An empty entry, which others may have as a parent.
        return { ...report([]), fate: IGNORED_TYPES.has(type) ? "ignored" : "unknown" };
    }
  };

  return {
    read(record, index) {
      const type = textField(record, "type");
      if (type === "") return MALFORMED;
      const stamp: EventStamp = {
        origin: textField(record, "id") || `e${index}`,
        atMs: timeField(record, "timestamp"),
      };
      order[index] = stamp.origin;
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
      parents.set(stamp.origin, parent);
      last = stamp.origin;
      return readEntry(type, record, stamp, parent);
    },
  };
}

/** Titles are taken from what the person said. */
function nameType(type: string, events: readonly SessionEvent[]): string {
  return events.some((event) => event.kind === "arrival" && event.source === "prompt") ? "user" : type;
}

function readCustom(record: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  const label = textField(record, "customType") || "custom_message";
  const parts = listField(record, "content").filter(isObject);
  const texts = typeof record.content === "string" ? [record.content] : parts.map((part) => textField(part, "text"));
  return texts.map((text) => note(text, label, stamp));
}

function readUsage(record: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  const usage = parseUsage(objectField(record, "usage"));
  if (!usage) return [];
  const stepId = `${stamp.origin}@${stamp.atMs}`;
  const model = textField(record, "model") || textField(record, "modelId");
  return [{ kind: "output", ...stamp, stepId, model, usage, isOutputFinal: true, blocks: [] }];
}

/** The current branch: from the last entry back along the parents. */
function selectBranch(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
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
function parseMessage(message: JsonObject, stamp: EventStamp): readonly SessionEvent[] | undefined {
  switch (textField(message, "role")) {
    case "assistant":
      return parseAnswer(message, stamp);
    case "user":
      return parseContent(message.content, "person").map((block) =>
        createArrival(block, { ...stamp, source: "prompt" }),
      );
    case "toolResult":
      return [parseResult(message, stamp)];
    case "bashExecution":
      return message.excludeFromContext === true ? [] : [note(renderBash(message), "bashExecution", stamp)];
    case "branchSummary":
    case "compactionSummary":
      return [note(textField(message, "summary"), "summary", stamp)];
    case "custom":
    case "system":
    case "hookMessage":
      return parseContent(message.content, "host").map((block) =>
        createArrival(block, { ...stamp, source: "attachment", label: textField(message, "customType") || "system" }),
      );
    default:
      return undefined;
  }
}

/** An aborted or failed answer is billed if it was counted, but the client does not send it again. */
function parseAnswer(message: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  const usage = parseUsage(objectField(message, "usage"));
  const stop = textField(message, "stopReason");
  const isDropped = stop === "aborted" || stop === "error";
  if (isDropped && !usage) return [];
  return [
    {
      kind: "output",
      ...stamp,
      stepId: textField(message, "responseId") || `${stamp.origin}@${stamp.atMs}`,
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

function parseResult(message: JsonObject, stamp: EventStamp): SessionEvent {
  const parts = parseContent(message.content, "host").map((block): ResultPart => {
    if (block.kind === "text") return { kind: "text", text: block.text };
    return block.kind === "image" ? block : { kind: "opaque", raw: message };
  });
  const block = createResult(textField(message, "toolCallId"), parts, { isError: message.isError === true });
  const detail = objectField(message, "details");
  return createArrival(block, { ...stamp, source: "toolResult", label: textField(message, "toolName"), detail });
}

function renderBash(message: JsonObject): string {
  const code = numberField(message, "exitCode");
  const ending = code === undefined || code === 0 ? "" : `\n\nCommand exited with code ${code}`;
  return `Ran \`${textField(message, "command")}\`\n${textField(message, "output")}${ending}`;
}

function note(text: string, label: string, stamp: EventStamp): SessionEvent {
  return createArrival(createText(text, "host"), { ...stamp, source: "attachment", label });
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
