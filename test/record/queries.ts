import { isRecord } from "../api/messages-body.ts";
import type { Line } from "./recording.ts";

/** Questions that recordings ask of a transcript. */

export function hasSubtype(line: Line, subtype: string): boolean {
  return line.type === "system" && line.subtype === subtype;
}

/** The content blocks of user and assistant lines of one type, in order. */
export function blocksOfType(lines: readonly Line[], type: string): readonly Line[] {
  return lines
    .filter((line) => line.type === "user" || line.type === "assistant")
    .flatMap((line) => (isRecord(line.message) && Array.isArray(line.message.content) ? line.message.content : []))
    .filter((block): block is Line => isRecord(block) && block.type === type);
}

/** Models that answered, each once, in order of first appearance. */
export function modelsOf(lines: readonly Line[]): readonly unknown[] {
  const messages = lines.filter((line) => line.type === "assistant").map((line) => line.message);
  return [...new Set(messages.map((message) => (isRecord(message) ? message.model : undefined)))];
}
