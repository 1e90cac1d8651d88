import type { JsonObject } from "../../core/json.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { ModuleApi, Next } from "./module-api.ts";

/** What is on the person's screen already and would be drawn again after a compaction. */
export interface Screen {
  /** A row came in. Those that a compaction repeats come in as notes, recognised by their text. */
  saw(e: JsonObject): void;
  /** What the answer to a compaction repeats; it is on the screen, and the line about it has been shown. */
  answered(answer: unknown): void;
  isRepeat(e: JsonObject): boolean;
}

/**
 * The client draws a module's answer to a compaction as new rows below the old ones. Only their ids differ from what
 * happened, so those ids are remembered. After a resume the rows before the boundary are not drawn, and nothing is
 * remembered either: the rows are shown then. What the client draws without asking a module is marked by `toHanded`.
 */
export function createScreen(): Screen {
  const seen = new Set<unknown>();
  const texts = new Set<unknown>();
  return {
    saw(e) {
      const text = textsOf(Object(e.message).content).join("\n");
      if (e.door !== "note" || !texts.has(text)) seen.add(e.uuid);
    },
    answered(answer) {
      for (const text of textsOf(Object(answer).messages)) texts.add(text);
    },
    isRepeat(e) {
      // The first is the name of a prompt until it is stored.
      return e.requestId !== "placeholder" && !seen.has(e.requestId) && texts.has(propsOf(e).text);
    },
  };
}

const propsOf = (e: JsonObject): JsonObject => Object(e.props);

function textsOf(list: unknown): readonly string[] {
  const texts = Array.isArray(list) ? list.map((one) => one?.text) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}

/** Draws a repeated row as nothing, and a record as one line; both in full where the client shows rows in full (ctrl+o). */
export async function drawRow($: ModuleApi, screen: Screen, e: JsonObject, next: Next): Promise<unknown> {
  const props = propsOf(e);
  const { text, isExpanded } = props;
  if (isExpanded || typeof text !== "string") return next(e);
  if (screen.isRepeat(e)) return $.ui.resolve(e).Box({});
  if (!text.startsWith(RECORD_OPENING)) return next(e);
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${text.split("\n").length} lines (ctrl+o shows it)`;
  return next({ ...e, props: { ...props, text: short } });
}

/** The load as text; quiet while nothing has to be done about it. */
export interface ShownStatus {
  readonly text: string | undefined;
  /** What a hint line shows in its place, which may be nothing; without it, the status area is used even where there is such a line. */
  readonly hint?: string | undefined;
}

/** Whether this process draws a hint line that takes more text: the terminal does, other surfaces do not yet. */
let hasHintLine = false;
let inHintLine: string | undefined;

/** A quiet status goes to the hint line below the prompt: the client draws a warning sign before its status area, which is used otherwise. */
export function placeStatus($: ModuleApi, { text, hint }: ShownStatus): void {
  inHintLine = hasHintLine ? hint : undefined;
  $.ui.status(inHintLine === undefined ? text : undefined);
  if (hasHintLine) $.ui.invalidate("ui.render");
}

/** Appends the load to the hint line, after what another plugin has put there. */
export function addHint(e: JsonObject): JsonObject {
  hasHintLine ||= e.surface === "terminal";
  const props = propsOf(e);
  const tail = props.tail ? `${props.tail} · ${inHintLine}` : inHintLine;
  return inHintLine ? { ...e, props: { ...props, tail } } : e;
}
