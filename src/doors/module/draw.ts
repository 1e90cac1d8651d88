import { type JsonObject, objectField, textField } from "../../core/json.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { Engine, EngineNext } from "./engine.ts";
import type { Screen } from "./screen.ts";

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
  return {
    ...e,
    props: { ...props, text: `⊖ Plimsoll: what came before, as a record of ${lines} lines (ctrl+o shows it)` },
  };
}
