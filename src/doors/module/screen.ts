import { isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { Engine, EngineNext } from "./engine.ts";

/** What stands on the person's screen already, as far as a compaction would draw it a second time. */
export interface Screen {
  /** A row as it came in. Those that a compaction tells again come in as notes, with the words they are known by. */
  saw(row: { readonly uuid: string; readonly door: string; readonly text: string }): void;
  /** What the answer to a compaction tells again; it stands on the screen, and the line about it has been shown. */
  told(messages: readonly unknown[]): void;
  /** Whether this drawing is of a row that the person has before their eyes already. */
  isRepeat(e: JsonObject): boolean;
}

/** So many rows are known apart from their repeats; in a session that goes on longer nothing is taken for one any more. */
const MAX_ROWS = 100_000;
const MAX_TEXTS = 2_000;

/**
 * The engine draws what a module answers a compaction with as new rows below the old ones. They differ from what happened by
 * their ids alone, so the ids of what happened are remembered. After a resume the rows before the boundary are not drawn, and
 * nothing is remembered either: then they are shown. What the client draws without asking a module is not for here
 * (`hidden-echo.ts`).
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
      // A prompt is drawn under this name until it is kept.
      if (props.isExpanded === true || id === "placeholder" || seen.has(id) || seen.size > MAX_ROWS) return false;
      const text = textField(props, "text");
      return text !== "" && texts.has(text);
    },
  };
}

/** Draws what stands on the screen already as nothing, and a record as one line. */
export async function drawRow(
  $: Engine,
  screen: Screen | undefined,
  e: JsonObject,
  next: EngineNext,
): Promise<unknown> {
  return screen?.isRepeat(e) ? $.ui.resolve(e).Box({}) : next(drawRecord(e));
}

/** A record on the person's screen as one line; the whole of it where the client shows rows in full (ctrl+o). */
export function drawRecord(e: JsonObject): JsonObject {
  const props = objectField(e, "props") ?? {};
  const text = textField(props, "text");
  if (props.isExpanded === true || !text.startsWith(RECORD_OPENING)) return e;
  const lines = text.split("\n").length;
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${lines} lines (ctrl+o shows it)`;
  return { ...e, props: { ...props, text: short } };
}
