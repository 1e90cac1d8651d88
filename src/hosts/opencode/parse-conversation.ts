import type { Output, SessionEvent } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { countField, isObject, listField, numberField, objectField, textField } from "../../core/json-fields.ts";
import { sumContextTokens, type Usage } from "../../core/usage.ts";
import { createArrival, createText, type ToldEvent } from "../create-events.ts";
import { countRecord } from "../open-lines.ts";
import type { Whole } from "../open-whole.ts";
import { emptyEntry, emptyTally, type TranscriptEntry } from "../transcript-entry.ts";
import { type Parts, parseParts } from "./parse-parts.ts";

/** A whole session, as the client exports it: `{info, messages: [{info, parts}]}`. Its records are the session's own, its messages and their parts. Never throws. */
export function parseConversation(exported: JsonObject): Whole {
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

  for (const message of listField(exported, "messages")) {
    const inner = isObject(message) ? objectField(message, "info") : undefined;
    if (!isObject(message) || !inner) {
      tally = countRecord(tally, "malformed");
      continue;
    }
    const told: ToldEvent = {
      origin: textField(inner, "id"),
      atMs: numberField(objectField(inner, "time") ?? {}, "created"),
    };
    const role = textField(inner, "role");
    const parts = parseParts(
      listField(message, "parts").filter(isObject),
      role === "assistant" ? "model" : "person",
      told,
    );
    for (const fate of ["parsed", ...parts.fates] as const) tally = countRecord(tally, fate);
    const tell = (type: string, events: readonly SessionEvent[], more: Partial<TranscriptEntry> = {}): void =>
      void entries.push({ ...emptyEntry, ...who, type, uuid: told.origin, events, ...more });
    compaction = parts.compaction ?? compaction;
    if (role !== "assistant") {
      if (!parts.compaction) tell("user", readSaid(parts, told));
      continue;
    }
    const output = readOutput(inner, parts, told, last);
    if (inner.summary === true) {
      // The request that asked for the summary is paid for, and stands in no later one.
      tell("summaryRequest", [], { asides: [output] });
      const origin = `${told.origin}:summary`;
      tell("compaction", readCompaction(compaction, parts, { ...told, origin }, last), { uuid: origin });
      compaction = undefined;
    } else if (output.usage || parts.blocks.length > 0) {
      tell("assistant", [output, ...parts.results]);
    }
    if (output.usage) last = output;
  }
  return { entries, tally };
}

function readSaid({ blocks }: Parts, told: ToldEvent): readonly SessionEvent[] {
  return blocks.map((block) =>
    block.kind === "text" && block.author === "host"
      ? createArrival(block, { ...told, source: "reminder", label: "synthetic" })
      : createArrival(block, { ...told, source: "prompt" }),
  );
}

function readOutput(info: JsonObject, { blocks }: Parts, told: ToldEvent, last: Output | undefined): Output {
  const usage = parseUsage(objectField(info, "tokens") ?? {});
  const finish = textField(info, "finish");
  return {
    kind: "output",
    ...told,
    // What was broken off before it was accounted for is no request of its own.
    stepId: usage ? told.origin : (last?.stepId ?? told.origin),
    model: textField(info, "modelID"),
    usage,
    isOutputFinal: true,
    ...(finish === "stop" || finish === "tool-calls" ? { isTurnEnd: finish === "stop" } : {}),
    blocks,
  };
}

/** Reasoning is told apart from the output that it is billed as. */
function parseUsage(tokens: JsonObject): Usage | undefined {
  const cache = objectField(tokens, "cache") ?? {};
  const usage = {
    inputTokens: countField(tokens, "input"),
    cacheReadTokens: countField(cache, "read"),
    cacheWrite5mTokens: countField(cache, "write"),
    cacheWrite1hTokens: 0,
    outputTokens: countField(tokens, "output") + countField(tokens, "reasoning"),
  };
  return sumContextTokens(usage) + usage.outputTokens > 0 ? usage : undefined;
}

function readCompaction(
  asked: JsonObject | undefined,
  { blocks }: Parts,
  told: ToldEvent,
  last: Output | undefined,
): readonly SessionEvent[] {
  const text = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");
  return [
    {
      kind: "compaction",
      ...told,
      trigger: asked === undefined ? "unknown" : asked.auto === true ? "auto" : "manual",
      preTokens: last?.usage && sumContextTokens(last.usage) + last.usage.outputTokens,
      postTokens: undefined,
      durationMs: undefined,
      preserved: [],
    },
    createArrival(createText(text, "host"), { ...told, source: "summary" }),
  ];
}
