import { type Arrival, type SessionEvent, unreportedCompaction } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { countField, isObject, listField, numberField, objectField, textField, timeField } from "../../core/json.ts";
import type { Block } from "../../core/message.ts";
import { sumContextTokens, type Usage } from "../../core/usage.ts";
import { createArrival, createText, type EventStamp } from "../create-events.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { IGNORED, MALFORMED, openLines, type ReadRecord, type RecordReader } from "../open-lines.ts";
import { decideFateBy, emptyEntry, type TranscriptEntry } from "../transcript-entry.ts";
import { readCompactionSettings } from "./disk/compaction-settings.ts";
import { beginsRollout, findCaller, rollouts } from "./disk/rollouts.ts";
import { type Item, parseItem, parseUsage } from "./parse-item.ts";
import { decidePromptAuthor, labelText } from "./prompt-author.ts";
import { codexVocabulary } from "./vocabulary.ts";

export const codex: Host = {
  ...recordsOnly,
  name: "codex",
  title: "Codex",
  program: "codex",
  renderResume: (sessionId) => `codex exec resume ${sessionId} -`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: codexVocabulary,
  decidePromptAuthor,
  wireFormat: "openai-responses",
  headers: { session: "session-id", agent: "thread-id" },
  findCaller,
  readCompactionSettings,

  ...rollouts,

  isOwn: (path, readHead) =>
    path.endsWith(".jsonl") && (/[/\\]rollout-[^/\\]*\.jsonl$/.test(path) || beginsRollout(readHead())),
  openTranscript: (path, options) => openLines(path, createRolloutReader, options),
  selectConversation: selectStanding,
};

/** Every record that clients 0.118 to 0.166 are known to write. */
const decideFate = decideFateBy({
  // What the model was sent or answered, or what it cost. When a turn begins or is aborted, an answer ends whose usage was never recorded.
  parsed: `session_meta turn_context compacted token_usage_record response_item event_msg/token_count
    event_msg/task_started event_msg/turn_aborted event_msg/thread_name_updated event_msg/thread_rolled_back`,
  // Shown to the person; what the model is sent is in response items.
  ignored: `world_state ghost_snapshot event_msg/agent_message event_msg/agent_reasoning
    event_msg/agent_reasoning_raw_content event_msg/agent_reasoning_section_break event_msg/background_event
    event_msg/collab_agent_interaction_end event_msg/collab_agent_spawn_end event_msg/collab_close_end
    event_msg/collab_waiting_end event_msg/context_compacted event_msg/dynamic_tool_call_request
    event_msg/dynamic_tool_call_response event_msg/entered_review_mode event_msg/error event_msg/exec_command_end
    event_msg/exited_review_mode event_msg/guardian_assessment event_msg/image_generation_end event_msg/item_completed
    event_msg/item_started event_msg/mcp_tool_call_end event_msg/model_reroute event_msg/patch_apply_end
    event_msg/plan_update event_msg/stream_error event_msg/task_complete event_msg/thread_goal_updated
    event_msg/thread_settings_applied event_msg/undo_completed event_msg/user_message event_msg/view_image_tool_call
    event_msg/warning event_msg/web_search_end`,
});

const ROLLED_BACK = "rolledBack";

/** Leaves out the turns that the person took back. */
function selectStanding(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  let standing: TranscriptEntry[] = [];
  for (const entry of entries) {
    if (entry.uuid === "") continue;
    const from = entry.type === ROLLED_BACK ? standing.findIndex(({ uuid }) => uuid === entry.logicalParentUuid) : -1;
    if (from >= 0) standing = standing.slice(0, from);
    standing.push(entry);
  }
  return standing;
}

/** An answer whose usage is not known yet, and what came after it: its results, mostly. */
interface OpenAnswer {
  readonly stepId: string;
  readonly stamp: EventStamp;
  readonly blocks: Block[];
  readonly after: { readonly stamp: EventStamp; readonly item: Item }[];
}

/**
 * A rollout, record by record. The client writes an answer item by item, then the results of its calls, and the
 * request's usage last; so an answer is held back until its usage is there, or until it is clear that none will come.
 */
function createRolloutReader(): RecordReader {
  let who: Pick<TranscriptEntry, "sessionId" | "version" | "cwd"> = { sessionId: "", version: "", cwd: "" };
  let model = "";
  let open: OpenAnswer | undefined;
  let lastStepId = "";
  let lastTotal = "";
  let lastContextTokens: number | undefined;
  let windowTokens: number | undefined;
  /** From 0.166 on every request has a record of its own, and the running totals repeat it. */
  let hasUsageRecords = false;
  const toolOf = new Map<string, string>();
  const prompts: string[] = [];

  const entry = (type: string, { origin }: EventStamp, events: readonly SessionEvent[]): TranscriptEntry => ({
    ...emptyEntry,
    ...who,
    type,
    uuid: origin,
    events,
  });

  const reportItem = ({ item, stamp }: OpenAnswer["after"][number]): TranscriptEntry => {
    const events = toArrivals(item, stamp, (callId) => toolOf.get(callId) ?? "unknown");
    const isPrompt = events.some(({ source }) => source === "prompt");
    if (isPrompt) prompts.push(stamp.origin);
    return entry(isPrompt ? "user" : item.kind, stamp, events);
  };

  const close = (usage: Usage | undefined): readonly TranscriptEntry[] => {
    if (!open) return [];
    const { stamp, blocks, after } = open;
    // An answer that was aborted before its usage was recorded: it is part of the conversation, but not a request of its own.
    const stepId = usage ? open.stepId : lastStepId || open.stepId;
    open = undefined;
    if (usage) lastContextTokens = sumContextTokens(usage);
    if (usage) lastStepId = stepId;
    return [
      entry("assistant", stamp, [
        { kind: "output", ...stamp, stepId, model, usage, isOutputFinal: true, windowTokens, blocks },
      ]),
      ...after.map(reportItem),
    ];
  };

  const readItem = (raw: JsonObject, stamp: EventStamp): ReadRecord => {
    const item = parseItem(raw);
    const fate = item.kind === "unknown" ? "unknown" : "parsed";
    if (item.kind !== "answer") {
      if (!open) return { fate, entries: [reportItem({ item, stamp })] };
      open.after.push({ item, stamp });
      return { fate, entries: [] };
    }
    for (const block of item.blocks) if (block.kind === "toolCall") toolOf.set(block.callId, block.tool);
    const stepId = textField(raw, "id") || textField(raw, "call_id") || `${who.sessionId}:${stamp.origin}`;
    open ??= { stepId, stamp, blocks: [], after: [] };
    open.blocks.push(...item.blocks);
    return { fate, entries: [] };
  };

  const bill = (usage: Usage, stamp: EventStamp): readonly TranscriptEntry[] => {
    // An answer of which only the usage was recorded.
    open ??= { stepId: `${who.sessionId}:${stamp.origin}`, stamp, blocks: [], after: [] };
    return close(usage);
  };

  const readTotals = (payload: JsonObject, stamp: EventStamp): ReadRecord => {
    const info = objectField(payload, "info");
    const total = JSON.stringify(info?.total_token_usage);
    const usage = objectField(info ?? {}, "last_token_usage");
    windowTokens = readWindow(info) ?? windowTokens;
    if (!info || !usage || hasUsageRecords) return IGNORED;
    // Repeated whenever the account's limits are reported: it counts the same requests as before.
    if (total === lastTotal) return { fate: "repeated", entries: [] };
    lastTotal = total;
    return { fate: "parsed", entries: bill(parseUsage(usage), stamp) };
  };

  const readUsageRecord = (payload: JsonObject, stamp: EventStamp): ReadRecord => {
    const usage = parseUsage(objectField(payload, "usage") ?? {});
    // The first of them may come after the total that it is part of.
    const isReportedAlready = !hasUsageRecords && !open && lastTotal !== "";
    hasUsageRecords = true;
    if (isReportedAlready) return { fate: "repeated", entries: [] };
    return { fate: "parsed", entries: bill(usage, stamp) };
  };

  const readCompacted = (payload: JsonObject, stamp: EventStamp): readonly TranscriptEntry[] => {
    const before = close(undefined);
    const compaction = { ...unreportedCompaction(stamp.origin, stamp.atMs), preTokens: lastContextTokens };
    return [...before, entry("compacted", stamp, [compaction, ...readReplacement(payload, stamp)])];
  };

  /** The last turns are taken back: the conversation continues before the first of them. */
  const rollBack = (payload: JsonObject, stamp: EventStamp): TranscriptEntry => {
    const taken = prompts.splice(Math.max(0, prompts.length - countField(payload, "num_turns")));
    return { ...entry(ROLLED_BACK, stamp, []), logicalParentUuid: taken[0] ?? "" };
  };

  return {
    read(record, index) {
      const payload = objectField(record, "payload");
      const type = textField(record, "type");
      if (!payload || type === "") return MALFORMED;
      const stamp: EventStamp = { origin: `r${index}`, atMs: timeField(record, "timestamp") };
      const event = textField(payload, "type");
      const fate = decideFate(type === "event_msg" ? `${type}/${event}` : type);
      if (fate !== "parsed") return { fate, entries: [] };
      switch (type === "event_msg" ? event : type) {
        case "session_meta":
          who = {
            sessionId: who.sessionId || textField(payload, "id"),
            version: textField(payload, "cli_version"),
            cwd: textField(payload, "cwd"),
          };
          return { fate, entries: [{ ...emptyEntry, ...who, type }] };
        case "turn_context":
          model = textField(payload, "model") || model;
          who = { ...who, cwd: textField(payload, "cwd") || who.cwd };
          return { fate, entries: [{ ...emptyEntry, ...who, type }] };
        case "response_item":
          return readItem(payload, stamp);
        case "compacted":
          return { fate, entries: readCompacted(payload, stamp) };
        case "token_usage_record":
          return readUsageRecord(payload, stamp);
        case "token_count":
          return readTotals(payload, stamp);
        case "thread_rolled_back":
          return { fate, entries: [...close(undefined), rollBack(payload, stamp)] };
        case "thread_name_updated":
          return { fate, entries: [{ ...emptyEntry, ...who, type, title: textField(payload, "thread_name") }] };
        default:
          return { fate, entries: close(undefined) };
      }
    },
    rest: () => close(undefined),
  };
}

/** The client reports the part that it lets itself fill: nineteen twentieths of the window. */
function readWindow(info: JsonObject | undefined): number | undefined {
  const usable = numberField(info ?? {}, "model_context_window");
  return usable === undefined || usable <= 0 ? undefined : Math.round(usable / 0.95);
}

function toArrivals(item: Item, stamp: EventStamp, toolOf: (callId: string) => string): readonly Arrival[] {
  if (item.kind === "result")
    return [createArrival(item.block, { ...stamp, source: "toolResult", label: toolOf(item.callId) })];
  if (item.kind === "unknown") return [createArrival(item.block, { ...stamp, source: "attachment", label: "unknown" })];
  if (item.kind === "answer") return [];
  return item.blocks.map((block) => {
    const text = block.kind === "text" ? block.text : "";
    if (item.role === "system")
      return createArrival(block, { ...stamp, source: "attachment", label: labelText(text), role: "system" });
    const isPerson = block.kind === "image" || (block.kind === "text" && block.author === "person");
    return isPerson
      ? createArrival(block, { ...stamp, source: "prompt" })
      : createArrival(block, { ...stamp, source: "reminder", label: labelText(text) });
  });
}

/** The replacement of the history: the words that were kept, and the summary, which the API's own compaction encrypts. */
function readReplacement(payload: JsonObject, stamp: EventStamp): readonly Arrival[] {
  const items = listField(payload, "replacement_history").filter(isObject);
  const message = textField(payload, "message");
  const kept = items.flatMap((raw): readonly Arrival[] => {
    const item = parseItem(raw);
    const blocks = "blocks" in item ? item.blocks : [item.block];
    return blocks.map((block) => {
      const isSummary =
        block.kind === "opaque" || (message !== "" && block.kind === "text" && block.text.includes(message));
      // Said before, and kept by the client, so it does not count as new.
      const repeated = block.kind === "text" ? { ...block, author: "host" as const } : block;
      return createArrival(repeated, isSummary ? { ...stamp, source: "summary" } : { ...stamp, ...KEPT });
    });
  });
  const hasSummary = kept.some(({ source }) => source === "summary");
  if (hasSummary || message === "") return kept;
  return [...kept, createArrival(createText(message, "host"), { ...stamp, source: "summary" })];
}

const KEPT = { source: "attachment", label: "kept" } as const;
