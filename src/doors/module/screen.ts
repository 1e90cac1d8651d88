import { isObject, type JsonObject } from "../../core/json.ts";
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

/** Limit of remembered rows; beyond it, nothing is treated as a repeat any more. */
const MAX_ROWS = 100_000;
const MAX_TEXTS = 2_000;

/**
 * The client draws a module's answer to a compaction as new rows below the old ones. Only their ids differ from what
 * happened, so those ids are remembered. After a resume the rows before the boundary are not drawn, and nothing is
 * remembered either: the rows are shown then. What the client draws without asking a module is marked by `hideEchoes`.
 */
export function createScreen(): Screen {
  const seen = new Set<unknown>();
  const texts = new Set<unknown>();
  return {
    saw(e) {
      if (e.door !== "note" || !texts.has(joinTexts(e))) seen.add(e.uuid);
    },
    answered(answer) {
      for (const text of textsOf(answer, "messages")) texts.add(text);
      for (const oldest of [...texts].slice(0, Math.max(0, texts.size - MAX_TEXTS))) texts.delete(oldest);
    },
    isRepeat(e) {
      const { text, isExpanded } = propsOf(e);
      // The name of a prompt until it is stored.
      if (e.requestId === "placeholder" || seen.has(e.requestId) || seen.size > MAX_ROWS) return false;
      return isExpanded !== true && texts.has(text);
    },
  };
}

const propsOf = (e: JsonObject): JsonObject => (isObject(e.props) ? e.props : {});

function textsOf(holder: unknown, field: string): readonly string[] {
  const list = isObject(holder) ? holder[field] : undefined;
  const texts = Array.isArray(list) ? list.map((one) => one?.text) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}

const joinTexts = (e: JsonObject): string => textsOf(e.message, "content").join("\n");

/** Draws a repeated row as nothing, and a record as one line. */
export async function drawRow($: ModuleApi, screen: Screen, e: JsonObject, next: Next): Promise<unknown> {
  return screen.isRepeat(e) ? $.ui.resolve(e).Box({}) : next(drawRecord(e));
}

/** A record on the person's screen as one line; in full if the client shows rows in full (ctrl+o). */
export function drawRecord(e: JsonObject): JsonObject {
  const props = propsOf(e);
  const { text, isExpanded } = props;
  if (isExpanded === true || typeof text !== "string" || !text.startsWith(RECORD_OPENING)) return e;
  const lines = text.split("\n").length;
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${lines} lines (ctrl+o shows it)`;
  return { ...e, props: { ...props, text: short } };
}

/** The load as text; quiet while nothing has to be done about it. */
export interface ShownStatus {
  readonly text: string | undefined;
  /** What a hint line shows in its place, which may be nothing; without it, the status area is used even where there is such a line. */
  readonly hint?: string | undefined;
}

/** Whether this process draws a hint line that takes more text: the terminal does, other surfaces do not yet. */
let hasHintLine = false;
let hint = "";

/** A quiet status goes to the hint line below the prompt: the client draws a warning sign before its status area, which is used otherwise. */
export function placeStatus($: ModuleApi, status: ShownStatus): void {
  const isHint = hasHintLine && status.hint !== undefined;
  hint = isHint ? (status.hint ?? "") : "";
  $.ui.status(isHint ? undefined : status.text);
  if (hasHintLine) $.ui.invalidate("ui.render");
}

/** Appends the load to the hint line, after what another plugin has put there. */
export function addHint(e: JsonObject): JsonObject {
  hasHintLine ||= e.surface === "terminal";
  const props = propsOf(e);
  return hint === "" ? e : { ...e, props: { ...props, tail: props.tail ? `${props.tail} · ${hint}` : hint } };
}
