import { isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { Engine, EngineNext } from "./engine.ts";

/** What is on the person's screen already and would be drawn again after a compaction. */
export interface Screen {
  /** A row as it came in. Rows that a compaction repeats come in as notes, recognised by their text. */
  saw(row: { readonly uuid: string; readonly door: string; readonly text: string }): void;
  /** What the answer to a compaction repeats; it is on the screen, and the line about it has been shown. */
  told(messages: readonly unknown[]): void;
  isRepeat(e: JsonObject): boolean;
}

/** Limit of remembered rows; beyond it, nothing is treated as a repeat any more. */
const MAX_ROWS = 100_000;
const MAX_TEXTS = 2_000;

/**
 * The engine draws a module's answer to a compaction as new rows below the old ones. Only their ids differ from what
 * happened, so those ids are remembered. After a resume the rows before the boundary are not drawn, and nothing is
 * remembered either: the rows are shown then. What the client draws without asking a module is marked by `hideEchoes`.
 */
export function createScreen(): Screen {
  const seen = new Set<string>();
  const texts = new Set<string>();
  return {
    saw({ uuid, door, text }) {
      if (door !== "note" || !texts.has(text)) seen.add(uuid);
    },
    told(messages) {
      const words = messages.filter(isObject).map((message) => textField(message, "text"));
      for (const text of words.filter((text) => text !== "")) texts.add(text);
      for (const oldest of [...texts].slice(0, Math.max(0, texts.size - MAX_TEXTS))) texts.delete(oldest);
    },
    isRepeat(e) {
      const props = objectField(e, "props") ?? {};
      const id = textField(e, "requestId");
      // The name of a prompt until it is stored.
      if (props.isExpanded === true || id === "placeholder" || seen.has(id) || seen.size > MAX_ROWS) return false;
      const text = textField(props, "text");
      return text !== "" && texts.has(text);
    },
  };
}

/** Draws a repeated row as nothing, and a record as one line. */
export async function drawRow(
  $: Engine,
  screen: Screen | undefined,
  e: JsonObject,
  next: EngineNext,
): Promise<unknown> {
  return screen?.isRepeat(e) ? $.ui.resolve(e).Box({}) : next(drawRecord(e));
}

/** A record on the person's screen as one line; in full if the client shows rows in full (ctrl+o). */
export function drawRecord(e: JsonObject): JsonObject {
  const props = objectField(e, "props") ?? {};
  const text = textField(props, "text");
  if (props.isExpanded === true || !text.startsWith(RECORD_OPENING)) return e;
  const lines = text.split("\n").length;
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${lines} lines (ctrl+o shows it)`;
  return { ...e, props: { ...props, text: short } };
}
