import { type Arrival, type Output, type SessionEvent, unreportedCompaction } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { countField, isObject, listField, numberField, objectField, textField } from "../../core/json.ts";
import type { Block, ResultPart } from "../../core/message.ts";
import { readRecordedUsd, sumContextTokens, type Usage } from "../../core/usage.ts";
import {
  createArrival,
  createCall,
  createImageOfUrl,
  createOpaque,
  createResult,
  createText,
  createThinking,
  type EventStamp,
  typeOf,
} from "../create-events.ts";
import { recordsOnly } from "../files-of-client.ts";
import type { Host } from "../host.ts";
import { openWhole, type Whole } from "../open-lines.ts";
import { countRecord, emptyEntry, emptyTally, type RecordFate, type TranscriptEntry } from "../transcript-entry.ts";
import { beginsExport, isOwnPath, openCodeSessions, readSession } from "./disk/sessions.ts";
import { openCodeVocabulary } from "./vocabulary.ts";

export const openCode: Host = {
  ...recordsOnly,
  name: "opencode",
  title: "OpenCode",
  program: "opencode",
  renderResume: (sessionId) => `opencode run --session ${sessionId}`,
  commands: { compact: "/compact", anew: "/new" },

  vocabulary: openCodeVocabulary,
  // Leaves room for the next answer.
  readCompactionSettings: () => ({ locate: (windowTokens) => windowTokens - 32_000 }),

  ...openCodeSessions,
  usesDatabase: true,

  isOwn: (path, readHead) => isOwnPath(path) || (path.endsWith(".json") && beginsExport(readHead())),
  openTranscript: (path) => openWhole(() => readSession(path), parseConversation),
  // The client deletes what is taken back.
  selectConversation: (entries) => entries.filter(({ uuid }) => uuid !== ""),
};

/** A session as exported: `{info, messages: [{info, parts}]}`. Its records are its own, its messages and their parts. Never throws. */
function parseConversation(exported: JsonObject): Whole {
  const info = objectField(exported, "info") ?? {};
  const who = {
    sessionId: textField(info, "id"),
    version: textField(info, "version"),
    cwd: textField(info, "directory"),
    isSidechain: false,
  };
  let tally = countRecord(emptyTally, "id" in info ? "parsed" : "malformed");
  const entries: TranscriptEntry[] = [{ ...emptyEntry, ...who, type: "session", title: textField(info, "title") }];
  let compaction: JsonObject | undefined;
  let last: Output | undefined;
  const named = new Set<string>();

  for (const [index, message] of listField(exported, "messages").entries()) {
    const inner = isObject(message) ? objectField(message, "info") : undefined;
    if (!isObject(message) || !inner) {
      tally = countRecord(tally, "malformed");
      continue;
    }
    const stamp: EventStamp = {
      origin: nameMessage(textField(inner, "id"), named) || `${who.sessionId}:${index}`,
      atMs: numberField(objectField(inner, "time") ?? {}, "created"),
    };
    const role = textField(inner, "role");
    const author = role === "assistant" ? "model" : "person";
    const parts = parseParts(listField(message, "parts").filter(isObject), author, stamp);
    for (const fate of ["parsed", ...parts.fates] as const) tally = countRecord(tally, fate);
    const report = (type: string, events: readonly SessionEvent[], more: Partial<TranscriptEntry> = {}): void =>
      void entries.push({ ...emptyEntry, ...who, type, uuid: stamp.origin, events, ...more });
    compaction = parts.compaction ?? compaction;
    if (role !== "assistant") {
      if (!parts.compaction) report("user", readSaid(parts, stamp));
      continue;
    }
    const output = readOutput(inner, parts, stamp, last);
    if (inner.summary === true) {
      // The request for the summary is paid for, but is in no later request.
      report("summaryRequest", [], { asides: [output] });
      const origin = `${stamp.origin}:summary`;
      report("compaction", readCompaction(compaction, parts, { ...stamp, origin }, last), { uuid: origin });
      compaction = undefined;
    } else if (output.usage || parts.blocks.length > 0) {
      report("assistant", [output, ...parts.results]);
    }
    if (output.usage) last = output;
  }
  return { entries, tally };
}

/** Ids may be blanked in a published session: a message without a unique one is named by its place. */
function nameMessage(id: string, named: Set<string>): string {
  const isOwn = !named.has(id);
  named.add(id);
  return isOwn ? id : "";
}

function readSaid({ blocks }: Parts, stamp: EventStamp): readonly SessionEvent[] {
  return blocks.map((block) =>
    block.kind === "text" && block.author === "host"
      ? createArrival(block, { ...stamp, source: "reminder", label: "synthetic" })
      : createArrival(block, { ...stamp, source: "prompt" }),
  );
}

function readOutput(info: JsonObject, { blocks }: Parts, stamp: EventStamp, last: Output | undefined): Output {
  const usage = parseUsage(objectField(info, "tokens") ?? {}, numberField(info, "cost"));
  const finish = textField(info, "finish");
  return {
    kind: "output",
    ...stamp,
    // An answer that was aborted before its usage was recorded is no request of its own.
    stepId: usage ? stamp.origin : (last?.stepId ?? stamp.origin),
    model: textField(info, "modelID"),
    usage,
    isOutputFinal: true,
    ...(finish === "stop" || finish === "tool-calls" ? { isTurnEnd: finish === "stop" } : {}),
    blocks,
  };
}

/** Reasoning is reported separately from the output that it is billed as. */
function parseUsage(tokens: JsonObject, usd: number | undefined): Usage | undefined {
  const cache = objectField(tokens, "cache") ?? {};
  const usage = {
    inputTokens: countField(tokens, "input"),
    cacheReadTokens: countField(cache, "read"),
    cacheWrite5mTokens: countField(cache, "write"),
    cacheWrite1hTokens: 0,
    outputTokens: countField(tokens, "output") + countField(tokens, "reasoning"),
    ...readRecordedUsd(usd),
  };
  return sumContextTokens(usage) + usage.outputTokens > 0 ? usage : undefined;
}

function readCompaction(
  asked: JsonObject | undefined,
  { blocks }: Parts,
  stamp: EventStamp,
  last: Output | undefined,
): readonly SessionEvent[] {
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
  return [
    {
      ...unreportedCompaction(stamp.origin, stamp.atMs),
      trigger: asked === undefined ? "unknown" : asked.auto === true ? "auto" : "manual",
      preTokens: last?.usage && sumContextTokens(last.usage) + last.usage.outputTokens,
    },
    createArrival(createText(text, "host"), { ...stamp, source: "summary" }),
  ];
}

interface Parts {
  readonly blocks: readonly Block[];
  readonly results: readonly Arrival[];
  readonly compaction: JsonObject | undefined;
  readonly fates: readonly RecordFate[];
}

/** The client's own marks: where a request began and ended, and what changed in the project. */
const MARKS = new Set("step-start step-finish snapshot patch retry agent subtask".split(" "));

function parseParts(parts: readonly JsonObject[], author: "person" | "model", stamp: EventStamp): Parts {
  const blocks: Block[] = [];
  const results: Arrival[] = [];
  const fates: RecordFate[] = [];
  let compaction: JsonObject | undefined;
  for (const part of parts) {
    const block = parseBlock(part, author);
    if (block) blocks.push(block);
    if (part.type === "tool") results.push(...parseResult(part, stamp));
    if (part.type === "compaction") compaction = part;
    if (block?.kind === "opaque") fates.push("unknown");
    else fates.push(block || (part.type === "compaction" && part.ignored !== true) ? "parsed" : "ignored");
  }
  return { blocks, results, compaction, fates };
}

function parseBlock(part: JsonObject, author: "person" | "model"): Block | undefined {
  const type = typeOf(part);
  if (MARKS.has(type) || type === "compaction" || part.ignored === true) return undefined;
  switch (type) {
    case "text":
      return createText(textField(part, "text"), part.synthetic === true ? "host" : author);
    case "reasoning":
      // The signature is the provider's, under the provider's name.
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

function parseResult(part: JsonObject, stamp: EventStamp): readonly Arrival[] {
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
  return [createArrival(block, { ...stamp, source: "toolResult", label: textField(part, "tool"), detail })];
}
