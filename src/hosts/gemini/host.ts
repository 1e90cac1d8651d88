import type { Arrival, SessionEvent } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { countField, isObject, listField, numberField, objectField, textField, timeField } from "../../core/json.ts";
import type { Usage } from "../../core/usage.ts";
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
import { openWhole, type Whole } from "../open-lines.ts";
import { findNumber, interpretBy, interpretResultBy } from "../tool-table.ts";
import { countRecord, emptyEntry, emptyTally, type RecordFate, type TranscriptEntry } from "../transcript-entry.ts";
import { beginsChat, chats, readChat } from "./disk/chats.ts";

const PATH = ["file_path", "absolute_path"];
const SEARCH = { kind: "search", pattern: ["pattern"], path: ["dir_path"] } as const;

export const gemini: Host = {
  ...recordsOnly,
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  renderResume: (sessionId) => `gemini --resume ${sessionId}`,
  commands: { compact: "/compress", anew: "/clear" },

  vocabulary: {
    interpretCall: interpretBy({
      read_file: { kind: "read", path: PATH, range: parseLines },
      write_file: { kind: "write", path: PATH, text: ["content"] },
      replace: { kind: "edit", path: PATH },
      run_shell_command: { kind: "run", command: ["command"] },
      glob: SEARCH,
      grep_search: SEARCH,
      search_file_content: SEARCH,
      list_directory: SEARCH,
      write_todos: { kind: "plan", list: "todos", subject: "description" },
    }),
    interpretResult: interpretResultBy({
      findExitCode: (text) => findNumber(text, /^Exit Code: (-?\d{1,10})$/m),
      isRefused: (text) => /^\[Operation Cancelled\]/.test(text),
    }),
  },
  // Half the window, unless `model.compressionThreshold` says otherwise.
  readCompactionSettings: () => ({ locate: (windowTokens) => Math.floor(windowTokens / 2) }),

  ...chats,

  isOnlyRead: true,
  isOwn: (path, readHead) => /\.jsonl?$/.test(path) && beginsChat(readHead()),
  openTranscript: (path) => openWhole(() => readChat(path), parseChat),
  selectConversation: (entries) => entries.filter(({ uuid }) => uuid !== ""),
};

function parseLines(input: JsonObject): LineRange | undefined {
  const first = numberField(input, "start_line");
  const last = numberField(input, "end_line");
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** A chat as the client keeps it: one object whose records are its messages. Never throws. */
function parseChat(chat: JsonObject): Whole {
  const who = { sessionId: textField(chat, "sessionId") };
  const entries: TranscriptEntry[] = [{ ...emptyEntry, ...who, type: "session", title: textField(chat, "summary") }];
  let tally = emptyTally;
  for (const message of listField(chat, "messages")) {
    const events = isObject(message) ? readEvents(message) : undefined;
    tally = countRecord(tally, decideFate(message, events));
    if (!isObject(message) || !events) continue;
    const type = message.type === "user" ? "user" : textField(message, "type");
    entries.push({ ...emptyEntry, ...who, type, uuid: textField(message, "id"), events });
  }
  return { entries, tally };
}

function decideFate(message: Json, events: readonly SessionEvent[] | undefined): RecordFate {
  if (!isObject(message) || typeof message.type !== "string") return "malformed";
  if (events) return "parsed";
  return /^(?:info|error|warning|about|compression|tool_group)$/.test(message.type) ? "ignored" : "unknown";
}

function readEvents(message: JsonObject): readonly SessionEvent[] | undefined {
  const stamp: EventStamp = { origin: textField(message, "id"), atMs: timeField(message, "timestamp") };
  if (message.type === "user") return readSaid(message, stamp);
  return message.type === "gemini" ? readAnswer(message, stamp) : undefined;
}

/** Files that a prompt names follow its words. */
function readSaid(message: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  const texts = readTexts(message.content);
  const ownTexts = readTexts(message.displayContent).length || texts.length;
  return texts.map((text, index) =>
    index < ownTexts
      ? createArrival(createText(text, "person"), { ...stamp, source: "prompt" })
      : createArrival(createText(text, "host"), { ...stamp, source: "attachment", label: "file" }),
  );
}

function readTexts(content: Json | undefined): readonly string[] {
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? content.filter(isObject).map((part) => textField(part, "text")) : [];
}

function readAnswer(message: JsonObject, stamp: EventStamp): readonly SessionEvent[] {
  const calls = listField(message, "toolCalls").filter(isObject);
  const thoughts = listField(message, "thoughts").filter(isObject);
  const blocks = [
    ...thoughts.map((thought) => createThinking(textField(thought, "description"), "")),
    ...readTexts(message.content)
      .filter((text) => text !== "")
      .map((text) => createText(text, "model")),
    ...calls.map((call) => createCall(textField(call, "id"), textField(call, "name"), objectField(call, "args") ?? {})),
  ];
  const tokens = objectField(message, "tokens");
  const usage = tokens && parseUsage(tokens);
  const model = textField(message, "model");
  return [
    { kind: "output", ...stamp, stepId: stamp.origin, model, usage, isOutputFinal: true, blocks },
    ...calls.map((call) => readResult(call, stamp)),
  ];
}

/** The input count includes cache reads; thinking is counted separately from the output. */
function parseUsage(tokens: JsonObject): Usage {
  const input = countField(tokens, "input") + countField(tokens, "tool");
  const cacheReadTokens = Math.min(countField(tokens, "cached"), input);
  return {
    inputTokens: input - cacheReadTokens,
    cacheReadTokens,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: countField(tokens, "output") + countField(tokens, "thoughts"),
  };
}

function readResult(call: JsonObject, stamp: EventStamp): Arrival {
  const texts = listField(call, "result")
    .filter(isObject)
    .map((part) => objectField(objectField(part, "functionResponse") ?? {}, "response") ?? {})
    .map((response) => textField(response, "output") || textField(response, "error"));
  const isError = call.status === "error" || call.status === "cancelled";
  const block = createResult(textField(call, "id"), [{ kind: "text", text: texts.join("\n") }], { isError });
  return createArrival(block, { ...stamp, source: "toolResult", label: textField(call, "name") });
}
