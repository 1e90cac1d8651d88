import { isObject, type JsonObject, listField, objectField, textField } from "../../../../core/json.ts";
import { readAppendedLines } from "../../../../files/file-cursor.ts";
import { readTail } from "../../../../files/read-tail.ts";
import type { Instrument } from "../../../../survive/restore/name-dropped.ts";
import { listInstruments, parseLines } from "./read-aftermath.ts";

/** A line without any of these loads nothing; the others are parsed. */
const SIGNS = ['"nested_memory"', "Base directory for this skill: ", '"invoked_skills"'].map((sign) =>
  Buffer.from(sign),
);
const MAX_KEPT = 50;

/** The instruction files and skills loaded into the window so far, newest last. */
export function searchInstruments(transcript: string): readonly Instrument[] {
  const found = new Map<string, Instrument>();
  const take = (text: string): void => {
    for (const line of parseLines(text))
      for (const instrument of listLoaded(line)) found.set(instrument.path, instrument);
  };
  readAppendedLines(transcript, {
    onBytes: (bytes, from, to) => {
      const line = bytes.subarray(from, to);
      if (SIGNS.some((sign) => line.includes(sign))) take(line.toString("utf8"));
    },
    onLine: take,
    onOverlongLine: () => undefined,
  });
  return [...found.values()].slice(-MAX_KEPT);
}

/** A plain file that was read does not count: only skills, and files that the client loaded by itself. */
function listLoaded(line: JsonObject): readonly Instrument[] {
  const isFile = objectField(line, "attachment")?.type === "file";
  return line.isSidechain === true || isFile ? [] : listInstruments(line);
}

const MAX_TAIL_BYTES = 1 << 20;
const MAX_KEPT_CHARACTERS = 50_000;

/** What the client keeps word for word when it compacts by itself: its last answer, and everything since. A manual compaction keeps nothing. */
export function readKept(transcript: string, trigger: string): string {
  if (trigger !== "auto") return "";
  const { bytes, from } = readTail(transcript, MAX_TAIL_BYTES);
  const lines = [...parseLines(bytes.toString("utf8", from === 0 ? 0 : bytes.indexOf(10) + 1))].filter(
    (line) => line.isSidechain !== true && (line.type === "user" || line.type === "assistant"),
  );
  const messages = lines.map((line) => objectField(line, "message") ?? {});
  const last = lines.findLastIndex(({ type }) => type === "assistant");
  const first = lines.findIndex(({ type }, at) => type === "assistant" && messages[at]?.id === messages[last]?.id);
  if (first < 0) return "";
  return messages.slice(first).map(renderContent).join("\n").slice(-MAX_KEPT_CHARACTERS);
}

function renderContent(message: JsonObject): string {
  if (typeof message.content === "string") return message.content;
  return listField(message, "content").filter(isObject).map(renderBlock).join("\n");
}

function renderBlock(block: JsonObject): string {
  if (block.type === "text") return textField(block, "text");
  if (block.type === "tool_result") return renderContent(block);
  if (block.type !== "tool_use") return "";
  const values = Object.values(objectField(block, "input") ?? {});
  return values.filter((value) => typeof value === "string").join("\n");
}
