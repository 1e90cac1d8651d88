import type { ArrivalSource, SessionEvent } from "../../core/event.ts";
import {
  isDeeperThan,
  isObject,
  type JsonObject,
  MAX_DEPTH,
  numberField,
  objectField,
  parseJson,
  textField,
  textListField,
  timeField,
} from "../../core/json.ts";
import { parseUsage } from "../../wire/anthropic/parse-usage.ts";
import { createArrival, createText, type EventStamp } from "../create-events.ts";
import { decideFateBy, type LineFate, type TranscriptEntry } from "../transcript-entry.ts";
import { renderAttachment } from "./attachment-text.ts";
import { isOutputCountFinal } from "./client-version.ts";
import { parseBlock, parseContent } from "./parse-blocks.ts";
import { decidePromptAuthor } from "./prompt-author.ts";
import type { ReaderQueue } from "./transcript-reader-queue.ts";

export type LineOutcome =
  | { readonly fate: LineFate; readonly entry: TranscriptEntry }
  | { readonly fate: "malformed" | "repeated" };

export interface LineContext {
  /** The tool of a call id, for results; the reader learns it from the calls it has seen. */
  readonly toolOf: (callId: string) => string;
  /** Whether a line was seen before; asked once for every line with a uuid, and remembered. */
  readonly isRepeated: (uuid: string) => boolean;
  /** Prompts that wait for the model; optional for readers that do not need the person's words. */
  readonly queue?: ReaderQueue;
}

/** The label of prompts typed while the model worked. */
const QUEUED = "queued_command";

/** One line of a transcript. Never throws: a line that cannot be understood is malformed. */
export function parseLine(text: string, context: LineContext): LineOutcome {
  const line = parseJson(text);
  if (!isObject(line) || isTooDeep(line)) return { fate: "malformed" };
  const type = textField(line, "type");
  if (type === "") return { fate: "malformed" };
  const subtype =
    textField(line, "subtype") || (type === "progress" ? textField(objectField(line, "data") ?? {}, "type") : "");
  const fate = decideLineFate(type, subtype);
  if ((type === "user" || type === "assistant") && !isObject(line.message)) return { fate: "malformed" };
  const uuid = textField(line, "uuid");
  if (uuid !== "" && context.isRepeated(uuid)) return { fate: "repeated" };
  if (type === "queue-operation") context.queue?.follow(line);
  return { fate, entry: readEntry(type, line, context, fate) };
}

/** Checks only what is later walked by recursion: blocks that are no plain text, attachments, subagents' lines. */
function isTooDeep(line: JsonObject): boolean {
  if (isDeeperThan(MAX_DEPTH, line.attachment) || isDeeperThan(MAX_DEPTH, line.data)) return true;
  const content = objectField(line, "message")?.content;
  return Array.isArray(content) && content.some((block) => isDeeperThan(MAX_DEPTH, block));
}

/** Without events unless it is parsed; other lines may still have it as a parent. */
function readEntry(type: string, line: JsonObject, context: LineContext, fate: LineFate): TranscriptEntry {
  const message = objectField(line, "message") ?? {};
  const isSynthetic = type === "assistant" && (message.model === "<synthetic>" || line.isApiErrorMessage === true);
  return {
    type,
    uuid: textField(line, "uuid"),
    parentUuid: textField(line, "parentUuid"),
    logicalParentUuid: textField(line, "logicalParentUuid"),
    isSidechain: line.isSidechain === true,
    agentId: textField(line, "agentId"),
    sessionId: textField(line, "sessionId"),
    version: textField(line, "version"),
    cwd: textField(line, "cwd"),
    isSynthetic,
    title: textField(line, "customTitle") || textField(line, "aiTitle") || textField(line, "summary"),
    events: isSynthetic || fate !== "parsed" ? [] : joinQueued(line, readEvents(type, line, message, context), context),
    asides: type === "progress" && fate === "parsed" ? readAsides(line) : [],
  };
}

/** A subagent's line inside a progress line. */
function readAsides(line: JsonObject): readonly SessionEvent[] {
  const inner = objectField(objectField(line, "data") ?? {}, "message") ?? {};
  const message = objectField(inner, "message") ?? {};
  if (inner.type !== "assistant" || message.model === "<synthetic>") return [];
  return readOutput({ timestamp: line.timestamp ?? null, ...inner, version: line.version }, message);
}

function readEvents(
  type: string,
  line: JsonObject,
  message: JsonObject,
  context: LineContext,
): readonly SessionEvent[] {
  switch (type) {
    case "assistant":
      return readOutput(line, message);
    case "user":
      return readArrivals(line, message, context);
    case "attachment":
      return readAttachment(line);
    case "system":
      return line.subtype === "compact_boundary" ? [readCompaction(line)] : [readMicrocompaction(line)];
    default:
      return [];
  }
}

/** Adds the prompts that were delivered in the middle of the turn: after the results they came with, before the answer. */
function joinQueued(
  line: JsonObject,
  events: readonly SessionEvent[],
  { queue }: LineContext,
): readonly SessionEvent[] {
  if (!queue || events.length === 0 || line.isSidechain === true || textField(line, "uuid") === "") return events;
  for (const event of events) {
    const isPrompt = event.kind === "arrival" && (event.source === "prompt" || event.label === QUEUED);
    if (isPrompt && event.block.kind === "text") queue.discard(event.block.text);
  }
  if (line.type !== "user" && line.type !== "assistant") return events;
  // The same event as for the attachment that newer clients write.
  const queued = queue
    .release()
    .map(({ text, atMs }) =>
      createArrival(createText(text, "person"), { origin: "", atMs, source: "attachment", label: QUEUED }),
    );
  if (queued.length === 0) return events;
  return line.type === "user" ? [...events, ...queued] : [...queued, ...events];
}

function readOutput(line: JsonObject, message: JsonObject): readonly SessionEvent[] {
  const usage = objectField(message, "usage");
  const stepId = textField(message, "id") || textField(line, "requestId") || textField(line, "uuid");
  return [
    {
      kind: "output",
      ...situate(line),
      stepId,
      model: textField(message, "model"),
      usage: usage ? parseUsage(usage) : undefined,
      isOutputFinal: isOutputCountFinal(textField(line, "version"), textField(message, "stop_reason")),
      ...readStop(textField(message, "stop_reason")),
      blocks: parseContent(message.content, "model"),
    },
  ];
}

/** Older clients write an answer's lines before they know its stop reason. */
function readStop(reason: string): { readonly isTurnEnd?: boolean } {
  if (reason === "tool_use") return { isTurnEnd: false };
  return reason === "end_turn" ? { isTurnEnd: true } : {};
}

function readArrivals(line: JsonObject, message: JsonObject, context: LineContext): readonly SessionEvent[] {
  const isSummary = line.isCompactSummary === true;
  // Shown to the person only. The summary is marked so too, but the model is sent it.
  if (line.isVisibleInTranscriptOnly === true && !isSummary) return [];
  const fallback: ArrivalSource = isSummary ? "summary" : line.isMeta === true ? "reminder" : "prompt";
  const detail = objectField(line, "toolUseResult");
  const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).map((raw) => {
    const author = fallback === "prompt" ? decidePromptAuthor(textField(raw, "text")) : "host";
    const block = parseBlock(raw, author);
    return block.kind === "toolResult"
      ? createArrival(block, { ...situate(line), source: "toolResult", label: context.toolOf(block.callId), detail })
      : createArrival(block, { ...situate(line), source: fallback });
  });
}

function readAttachment(line: JsonObject): readonly SessionEvent[] {
  const attachment = objectField(line, "attachment") ?? {};
  const { role, text } = renderAttachment(line, attachment);
  if (text === "") return [];
  const label = textField(attachment, "type");
  const author = label === QUEUED ? decidePromptAuthor(text) : "host";
  return [createArrival(createText(text, author), { ...situate(line), source: "attachment", label, role })];
}

function readCompaction(line: JsonObject): SessionEvent {
  const metadata = objectField(line, "compactMetadata") ?? {};
  return {
    kind: "compaction",
    ...situate(line),
    trigger: textField(metadata, "trigger") || "unknown",
    preTokens: numberField(metadata, "preTokens"),
    postTokens: numberField(metadata, "postTokens"),
    durationMs: numberField(metadata, "durationMs"),
    preserved: readPreserved(metadata),
  };
}

/** The newest clients name every kept line; older ones the messages, or only the first and the last. */
function readPreserved(metadata: JsonObject): readonly string[] {
  const messages = objectField(metadata, "preservedMessages") ?? {};
  const segment = objectField(metadata, "preservedSegment") ?? {};
  const named = [textListField(messages, "allUuids"), textListField(messages, "uuids")].find((list) => list.length > 0);
  return named ?? [textField(segment, "headUuid"), textField(segment, "tailUuid")].filter((uuid) => uuid !== "");
}

function readMicrocompaction(line: JsonObject): SessionEvent {
  const metadata = objectField(line, "microcompactMetadata") ?? objectField(line, "compactMetadata") ?? {};
  return {
    kind: "microcompaction",
    ...situate(line),
    preTokens: numberField(metadata, "preTokens"),
    savedTokens: numberField(metadata, "tokensSaved"),
    clearedCallIds: textListField(metadata, "compactedToolIds"),
  };
}

function situate(line: JsonObject): EventStamp {
  return { origin: textField(line, "uuid"), atMs: timeField(line, "timestamp") };
}

/** Every line type that clients 1.0.17 to 2.1.325 are known to write. */
const decideNamed = decideFateBy({
  // What the model was sent or answered. Older clients record in the queue what the person said in the middle of a turn.
  // Progress is not part of the turn and not sent to the model, except for what subagents say, which is billed.
  parsed: `user assistant attachment system/compact_boundary system/microcompact_boundary summary custom-title ai-title
    queue-operation progress/agent_progress`,
  // The client's own bookkeeping.
  ignored: `system system/api_error system/away_summary system/bridge_status system/informational system/local_command
    system/model_refusal_fallback system/stop_hook_summary system/turn_duration agent-name api-request api-request-blob
    api-request-shape atis-latch continued-in cost-state file-history-snapshot last-prompt mode permission-mode pr-link
    progress/bash_progress progress/hook_progress progress/mcp_progress progress/query_update
    progress/search_results_received progress/waiting_for_task tools-used`,
});

export function decideLineFate(type: string, subtype: string): LineFate {
  return decideNamed(subtype === "" ? type : `${type}/${subtype}`);
}
