import { textField } from "../../core/json-fields.ts";
import type { ToolResultBlock } from "../../core/message.ts";
import { findSaidInRefusal } from "../../core/said-in-refusal.ts";
import { findErrorLine } from "../../fold/error-line.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines } from "../../fold/thresholds.ts";
import { isMarker, renderLine } from "../history/markers.ts";
import type { CallDescription } from "./describe-call.ts";
import { foldPastes } from "./fold-paste.ts";
import { findLandmarks, findTotal } from "./lasting-calls.ts";
import { type Outcome, renderLineCount, renderShortenedBefore, renderWhole } from "./ledger-text.ts";
import { listNames } from "./list-names.ts";
import { dropNarration } from "./narration.ts";
import { stripMarkup } from "./strip-markup.ts";

const MAX_RESULT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 200;
const MAX_TOTAL_CHARACTERS = 100;
const MAX_LANDMARK_CHARACTERS = 200;
/** Who reads so little of a file has looked for it. */
const MAX_READ_CHARACTERS = 1_000;

export interface Told {
  readonly tells: CallDescription["tells"];
  /** The file that was read: what it is decides which names it has. */
  readonly path?: string | undefined;
  /** So much of a report or a task is shown. */
  readonly room: number;
}

/** What is shown of a result; nothing where the call says it all. */
export function renderResult(result: ToolResultBlock, original: string, told: Told): Exclude<Outcome, "none"> {
  const whole = nameUnknown(result) ?? original;
  const text = dropReminder(whole);
  const { isError: failed } = result;
  const { tells, path = "", room } = told;
  const isDeed = tells === "deed" || tells === "plan";
  const isLasting = !failed && !isDeed && tells !== "look" && tells !== "read";
  const wasShortened = isMarker(text);
  const pictures = text.match(PICTURE_NOTE)?.join(" ") ?? "";
  if (isDeed && !failed && !wasShortened) return { failed, text: pictures };
  // What is shown may later grow thin.
  if (whole.length <= MAX_RESULT_CHARACTERS) return { failed, text: renderWhole(whole), isLasting };
  // What was folded or cleared before is fetched by the handle it left. Its section is kept all the same: a result may only
  // look like a marker, and what is stored must not depend on the vocabulary.
  const [known] = wasShortened ? findHandles(text).slice(-1) : [];
  if (known !== undefined) return { failed, text: renderShortenedBefore(known) };
  const said = failed ? findSaidInRefusal(text) : undefined;
  if (said !== undefined) return { failed, text: renderWhole(`the person said: ${foldPastes(said)}`) };
  const shown = failed ? renderLine(findErrorLine(text, { isFailed: true }), MAX_ERROR_CHARACTERS) : chooseTelling();
  const isWhole = failed || ((tells === "brief" || tells === "task") && whole.length <= room);
  const parts = [shown, isWhole ? "" : renderLineCount(countLines(whole)), pictures];
  return { failed, text: parts.filter((part) => part !== "").join(" "), isLasting };

  function chooseTelling(): string {
    // What is to be done is no narration, however much it sounds like it.
    if (tells === "task") return renderLine(stripMarkup(stripLineNumbers(text.slice(0, room * 4))), room);
    if (tells === "brief")
      return renderLine(stripMarkup(dropNarration(stripLineNumbers(text.slice(0, room * 4)))), room);
    if (tells === "landmark") return renderLine(findLandmarks(text).join("; "), MAX_LANDMARK_CHARACTERS);
    if (tells === "read") return tellRead(stripLineNumbers(text.replace(PICTURE_NOTE, "")));
    return renderLine(findTotal(text), MAX_TOTAL_CHARACTERS);
  }

  function tellRead(content: string): string {
    const most = Math.min(room, MAX_READ_CHARACTERS);
    return content.length <= most ? renderLine(content, most) : listNames(content, path);
  }
}

/** What a client adds to a result is the same each time, and no part of what came of the call. */
function dropReminder(text: string): string {
  return text.trimEnd().endsWith(REMINDER_END) ? text.slice(0, text.lastIndexOf(REMINDER)).trimEnd() : text;
}

const REMINDER = "<system-reminder>";
const REMINDER_END = "</system-reminder>";

/** As reading tools write a file: a number, an arrow or a tab, the line. */
function stripLineNumbers(text: string): string {
  return /^ {0,9}\d+[→\t]/.test(text) ? text.replace(/^ {0,9}\d+[→\t]/gm, "") : text;
}

/** What a door leaves in the place of a picture: its handle stays in sight. */
const PICTURE_NOTE = /\[(?:picture|document) plimsoll:[0-9a-f]{12}[^\]\n]*\]/g;

/** A result with parts that nobody here understands, each by its kind and its name; `undefined` where there is none. */
function nameUnknown({ parts }: ToolResultBlock): string | undefined {
  if (!parts.some(({ kind }) => kind === "opaque")) return undefined;
  const named = parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "image") return `[${part.mediaType}]`;
    const name = textField(part.raw, "tool_name") || textField(part.raw, "title");
    return `[${textField(part.raw, "type") || "unknown"}${name === "" ? "" : ` ${name}`}]`;
  });
  return named.join("\n");
}
