import { textField } from "../../core/json-fields.ts";
import type { ToolResultBlock } from "../../core/message.ts";
import { findSaidInRefusal } from "../../core/said-in-refusal.ts";
import { type Digest, digestOutput } from "../../fold/digest-output.ts";
import { findErrorLine, hasErrorSign } from "../../fold/error-line.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines } from "../../fold/thresholds.ts";
import { findTrouble } from "../../fold/trouble.ts";
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
/** Of an answer that was only looked at, and of what was folded before. */
const MAX_LOOK_CHARACTERS = 128;
const MAX_PREVIEW_CHARACTERS = 160;
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
  // What a command put out that also wrote a file stays beside it, as far as there is anything.
  if (tells === "wrote" && !failed && text.trim() === "") return { failed, text: "" };
  const isLasting = !failed && !isDeed && tells !== "look" && tells !== "read";
  const wasShortened = isMarker(text);
  const pictures = text.match(PICTURE_NOTE)?.join(" ") ?? "";
  if (isDeed && !failed && !wasShortened) return { failed, text: pictures };
  // What is shown may later grow thin.
  if (whole.length <= MAX_RESULT_CHARACTERS) return { failed, text: renderWhole(whole), isLasting };
  // What was folded or cleared before is fetched by the handle it left. Its section is kept all the same: a result may only
  // look like a marker, and what is stored must not depend on the vocabulary.
  const [known] = wasShortened ? findHandles(text).slice(-1) : [];
  if (known !== undefined)
    return { failed, text: renderShortenedBefore(known, digestPreview(text, Math.min(room, MAX_PREVIEW_CHARACTERS))) };
  const said = failed ? findSaidInRefusal(text) : undefined;
  if (said !== undefined) return { failed, text: renderWhole(`the person said: ${foldPastes(said)}`) };
  const { text: shown, isWhole } = failed ? { text: renderFailure(text), isWhole: true } : chooseTelling();
  const parts = [shown, isWhole ? "" : renderLineCount(countLines(whole)), pictures];
  return { failed, text: parts.filter((part) => part !== "").join(" "), isLasting };

  function chooseTelling(): Digest {
    const isShort = whole.length <= room;
    const reported = text.slice(0, room * 4);
    // What is to be done is no narration, however much it sounds like it.
    if (tells === "task") return { text: renderLine(stripMarkup(stripLineNumbers(reported)), room), isWhole: isShort };
    if (tells === "brief")
      return { text: renderLine(stripMarkup(dropNarration(stripLineNumbers(reported))), room), isWhole: isShort };
    if (tells === "landmark") return part(renderLine(findLandmarks(text).join("; "), MAX_LANDMARK_CHARACTERS));
    if (tells === "read") return part(tellRead(stripLineNumbers(text.replace(PICTURE_NOTE, ""))));
    const total = renderLine(findTotal(text), MAX_TOTAL_CHARACTERS);
    return total === ""
      ? digestOutput(text.replace(PICTURE_NOTE, ""), Math.min(room, MAX_LOOK_CHARACTERS))
      : part(total);
  }

  function tellRead(content: string): string {
    const most = Math.min(room, MAX_READ_CHARACTERS);
    return content.length <= most ? renderLine(content, most) : listNames(content, path);
  }
}

function part(text: string): Digest {
  return { text, isWhole: false };
}

/** The line that says what went wrong; where none does, the exit code with the last line. Tests that passed are never said to have failed. */
function renderFailure(text: string): string {
  const line = renderLine(findErrorLine(text, { isFailed: true }), MAX_ERROR_CHARACTERS);
  const [status = ""] = EXIT_CODE.exec(text) ?? [];
  return status === "" || line === status || hasErrorSign(text) ? line : `${status}; ${line}`;
}

const EXIT_CODE = /^Exit code \d{1,10}(?=\s|$)/;

/** The lines of a folded output's preview that say most. */
function digestPreview(marker: string, room: number): string {
  const [, preview = ""] = /\nPreview \([^)\n]{0,80}\):\n([\s\S]*?)\nFull output: /.exec(marker) ?? [];
  const bare = preview.replace(/^\d{1,9}: |^\d+ lines speak of .*\n/gm, "");
  const troubles = bare.split("\n").filter((line) => findTrouble(line) !== undefined);
  return digestOutput(troubles.length > 0 ? troubles.join("\n") : bare, room).text;
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
