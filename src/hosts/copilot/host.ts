import { type SessionEvent, unreportedCompaction } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, numberField, objectField, textField, timeField } from "../../core/json.ts";
import type { LineRange } from "../../session/action.ts";
import {
  createArrival,
  createCall,
  createResult,
  createText,
  createThinking,
  type EventStamp,
} from "../create-events.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { IGNORED, MALFORMED, openLines, type RecordReader, UNKNOWN_LINE } from "../open-lines.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";
import { emptyEntry, type TranscriptEntry } from "../transcript-entry.ts";
import { beginsSession, copilotSessions } from "./disk/sessions.ts";

const PATH = ["path"];
const EDIT = { kind: "edit", path: PATH } as const;
const RUN = { kind: "run", command: ["command"] } as const;
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["path", "paths"] } as const;

export const copilot: Host = {
  ...recordsOnly,
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  renderResume: (sessionId) => `copilot --resume ${sessionId}`,
  commands: { compact: "/compact", anew: "/clear" },

  vocabulary: {
    interpretCall: interpretBy({
      view: { kind: "read", path: PATH, range: parseViewRange },
      create: { kind: "write", path: PATH, text: ["file_text"] },
      edit: EDIT,
      str_replace_editor: EDIT,
      apply_patch: { kind: "patch", text: ["input"] },
      bash: RUN,
      powershell: RUN,
      rg: SEARCH,
      grep: SEARCH,
      glob: SEARCH,
      web_fetch: { kind: "fetch", url: ["url"] },
      task: { kind: "delegate", description: ["description"], prompt: ["prompt"] },
      ask_user: { kind: "ask" },
    }),
    interpretResult: interpretResultBy({
      findExitCode: (text) => findNumber(text.slice(-200), /<exited with exit code (-?\d{1,10})>\s{0,9}$/),
      isRefused: (text, { isError }) =>
        isError && /permission (?:was )?denied|rejected by (?:the )?user/i.test(text.slice(0, 400)),
    }),
  },

  ...copilotSessions,

  isOnlyRead: true,
  recordsUsage: false,
  isOwn: (path, readHead) => path.endsWith(".jsonl") && beginsSession(readHead()),
  openTranscript: (path, options) => openLines(path, createEventReader, options),
  selectConversation: (entries) => entries.filter(({ uuid, isSidechain }) => uuid !== "" && !isSidechain),
};

/** `[first, last]`; a range that ends before it begins goes to the end of the file. */
function parseViewRange(input: JsonObject): LineRange | undefined {
  const [first, last] = listField(input, "view_range");
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return { first, last: last < first ? Number.MAX_SAFE_INTEGER : last };
}

/** Records of the client's own bookkeeping, or that repeat what another record says. */
const IGNORED_TYPES =
  /^(?:abort|assistant\.(?:\w+_(?:start|end)|intent|usage)|hook\.\w+|permission\.\w+|skill\.invoked|subagent\.\w+|tool\.execution_(?:start|progress|partial_result)|tool\.user_requested|session\.(?:compaction_start|error|idle|info|mode_changed|permissions_changed|plan_changed|resume|shutdown|snapshot_rewind|title_changed|truncation|usage_checkpoint|usage_info|warning|workspace_file_changed))$/;

/** The events of a session. The client records what was said and done, but no request's usage. */
function createEventReader(): RecordReader {
  let who: Pick<TranscriptEntry, "sessionId" | "version" | "cwd"> = { sessionId: "", version: "", cwd: "" };
  let model = "";
  const toolOf = new Map<string, string>();

  const readAnswer = (data: JsonObject, stamp: EventStamp): readonly SessionEvent[] => {
    const calls = listField(data, "toolRequests").filter(isObject);
    for (const call of calls) toolOf.set(textField(call, "toolCallId"), textField(call, "name"));
    const thought = textField(data, "reasoningText");
    const text = textField(data, "content");
    const blocks = [
      ...(thought === "" ? [] : [createThinking(thought, textField(data, "reasoningOpaque"))]),
      ...(text === "" ? [] : [createText(text, "model")]),
      ...calls.map((call) => createCall(textField(call, "toolCallId"), textField(call, "name"), readInput(call))),
    ];
    const stepId = textField(data, "messageId") || stamp.origin;
    model = textField(data, "model") || model;
    return [{ kind: "output", ...stamp, stepId, model, usage: undefined, isOutputFinal: false, blocks }];
  };

  const readResult = (data: JsonObject, stamp: EventStamp): readonly SessionEvent[] => {
    const callId = textField(data, "toolCallId");
    const failure = objectField(data, "error") ?? {};
    const text = textField(objectField(data, "result") ?? failure, "content") || textField(failure, "message");
    const block = createResult(callId, [{ kind: "text", text }], { isError: data.success === false });
    return [createArrival(block, { ...stamp, source: "toolResult", label: toolOf.get(callId) ?? "unknown" })];
  };

  const readEvents = (type: string, data: JsonObject, stamp: EventStamp): readonly SessionEvent[] | undefined => {
    switch (type) {
      case "user.message":
        return [readSaid(data, stamp)];
      case "assistant.message":
        return readAnswer(data, stamp);
      case "tool.execution_complete":
        return readResult(data, stamp);
      // The system prompt comes before the conversation, not in it.
      case "system.message":
        return [];
      case "system.notification":
        return [createArrival(createText(textField(data, "content"), "host"), { ...stamp, source: "reminder" })];
      case "session.compaction_complete":
        return readCompaction(data, stamp);
      default:
        return undefined;
    }
  };

  return {
    read(record) {
      const type = textField(record, "type");
      const data = objectField(record, "data");
      if (type === "" || !data) return MALFORMED;
      if (type === "session.start" || type === "session.context_changed") {
        const context = objectField(data, "context") ?? data;
        who = {
          sessionId: textField(data, "sessionId") || who.sessionId,
          version: textField(data, "copilotVersion") || who.version,
          cwd: textField(context, "cwd") || who.cwd,
        };
      }
      if (/^session\.(?:start|context_changed|model_change)$/.test(type)) {
        model = textField(data, "newModel") || textField(data, "selectedModel") || model;
        return { fate: "parsed", entries: [{ ...emptyEntry, ...who, type }] };
      }
      const stamp: EventStamp = { origin: textField(record, "id"), atMs: timeField(record, "timestamp") };
      const events = readEvents(type, data, stamp);
      if (!events) return IGNORED_TYPES.test(type) ? IGNORED : UNKNOWN_LINE;
      const isSidechain = textField(data, "parentToolCallId") !== "";
      const name = type === "user.message" ? "user" : type;
      return {
        fate: "parsed",
        entries: [{ ...emptyEntry, ...who, type: name, uuid: stamp.origin, isSidechain, events }],
      };
    },
  };
}

/** What the client adds by itself, such as a skill's text or instructions that it found, names its source. */
function readSaid(data: JsonObject, stamp: EventStamp): SessionEvent {
  const text = textField(data, "content");
  const label = textField(data, "source");
  return label === "" || label === "user"
    ? createArrival(createText(text, "person"), { ...stamp, source: "prompt" })
    : createArrival(createText(text, "host"), { ...stamp, source: "reminder", label });
}

function readInput(call: JsonObject): JsonObject {
  const { arguments: input } = call;
  return isObject(input) ? input : { input: input ?? "" };
}

function readCompaction(data: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  if (data.success === false) return [];
  const preTokens = numberField(data, "preCompactionTokens");
  const summary = createText(textField(data, "summaryContent"), "host");
  return [
    { ...unreportedCompaction(stamp.origin, stamp.atMs), preTokens },
    createArrival(summary, { ...stamp, source: "summary" }),
  ];
}
