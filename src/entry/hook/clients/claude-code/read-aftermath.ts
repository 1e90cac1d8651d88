import {
  isObject,
  type JsonObject,
  listField,
  numberField,
  objectField,
  parseJson,
  textField,
  timeField,
} from "../../../../core/json.ts";
import { renderAttachment } from "../../../../hosts/claude-code/attachment-text.ts";
import type { Instrument } from "../../../../survive/restore/name-dropped.ts";
import { type Aftermath, NOTHING_YET, type RecordedAnswer, readBehind } from "../contract.ts";

const BOUNDARY = '"compact_boundary"';

export function readAftermath(transcript: string, fromByte: number): Aftermath {
  const behind = readBehind(transcript, fromByte, BOUNDARY);
  if (behind === undefined) return NOTHING_YET;
  const found = { hasBoundary: false, summary: "" };
  const contexts: string[] = [];
  const answers: RecordedAnswer[] = [];
  const instruments: Instrument[] = [];
  for (const line of parseLines(behind)) {
    if (line.isSidechain === true) continue;
    if (line.subtype === "compact_boundary") found.hasBoundary = true;
    if (!found.hasBoundary) continue;
    if (line.isCompactSummary === true) found.summary = textField(objectField(line, "message") ?? {}, "content");
    const answer = parseAnswer(line);
    if (answer) answers.push(answer);
    contexts.push(...listContexts(line));
    instruments.push(...listInstruments(line));
  }
  return { ...found, contexts: contexts.join("\n"), answers, instruments };
}

/** The client's own copies of its requests are large and contain nothing new. */
const COPY = /^\{"type":"api-request/;

export function* parseLines(text: string): Generator<JsonObject> {
  for (const line of text.split("\n")) {
    if (line === "" || COPY.test(line)) continue;
    // Not JSON if it is cut off, or still being written.
    const value = parseJson(line);
    if (isObject(value)) yield value;
  }
}

function parseAnswer(line: JsonObject): RecordedAnswer | undefined {
  const message = objectField(line, "message");
  if (line.type !== "assistant" || !message || message.model === "<synthetic>") return undefined;
  return { id: textField(message, "id"), atMs: timeField(line, "timestamp") ?? 0 };
}

/** Only what is really sent: the client also records what a hook printed. */
function listContexts(line: JsonObject): readonly string[] {
  const attachment = objectField(line, "attachment");
  if (line.type !== "attachment" || attachment?.type !== "hook_additional_context") return [];
  return [renderAttachment(line, attachment).text];
}

const SKILL = /^Base directory for this skill: ([^\n]+)/;
const CUT_SKILL = "[... skill content truncated for compaction";

/** Instruction files and skills that a line puts into the window, as 2.1.197 and 2.1.325 write them. */
export function listInstruments(line: JsonObject): readonly Instrument[] {
  const attachment = objectField(line, "attachment");
  if (attachment) return listAttached(attachment);
  if (line.type !== "user" || line.isMeta !== true) return [];
  return listField(objectField(line, "message") ?? {}, "content")
    .filter(isObject)
    .flatMap((block) => parseSkill(textField(block, "text")));
}

function listAttached(attachment: JsonObject): readonly Instrument[] {
  switch (attachment.type) {
    case "nested_memory":
      return name("instructions", textField(attachment, "path"));
    case "file": {
      const file = objectField(objectField(attachment, "content") ?? {}, "file") ?? {};
      const isWhole = (numberField(file, "numLines") ?? 0) >= (numberField(file, "totalLines") ?? 0);
      return name("instructions", textField(attachment, "filename"), isWhole);
    }
    case "invoked_skills":
      return listField(attachment, "skills")
        .filter(isObject)
        .flatMap((skill) => parseSkill(textField(skill, "content")));
    default:
      return [];
  }
}

function parseSkill(text: string): readonly Instrument[] {
  const base = SKILL.exec(text)?.[1]?.trim() ?? "";
  return base === "" ? [] : name("skill", `${base}/SKILL.md`, !text.includes(CUT_SKILL));
}

function name(kind: Instrument["kind"], path: string, isWhole = true): readonly Instrument[] {
  return path === "" ? [] : [{ kind, path, isWhole }];
}
