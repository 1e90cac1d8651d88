import { sliceWhole } from "../../core/clip-text.ts";
import { textField } from "../../core/json.ts";
import type { ToolResultBlock } from "../../core/message.ts";
import { findSaidInRefusal, isAnnouncement } from "../../core/sentences.ts";
import { type Digest, digestOutput } from "../../fold/detect-kind.ts";
import { findErrorLine, hasErrorSign } from "../../fold/error-line.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines } from "../../fold/thresholds.ts";
import { findTrouble } from "../../fold/trouble.ts";
import { isMarker, renderLine } from "../history/markers.ts";
import { type CallDescription, shortenPaths, stripMarkup } from "./describe-call.ts";
import { listNames } from "./describe-change.ts";
import { findFacts, findFindings } from "./find-facts.ts";
import { findLandmarks, findTotal } from "./lasting-calls.ts";
import { type CallOutcome, renderLineCount, renderShortenedBefore, renderWhole } from "./ledger-text.ts";

const MAX_RESULT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 200;
const MAX_TOTAL_CHARACTERS = 100;
/** A line that ends like one that is there already is not said again. */
const KNOWN_CHARACTERS = 40;
const MAX_LANDMARK_CHARACTERS = 200;
/** Of names and numbers that are known by the form of an output. */
const MAX_FACTS_CHARACTERS = 240;
/** Of an answer that was only looked at, and of what was folded before. */
const MAX_LOOK_CHARACTERS = 128;
const MAX_PREVIEW_CHARACTERS = 160;
/** Who reads so little of a file has looked for it. */
const MAX_READ_CHARACTERS = 500;

export interface ResultOptions {
  readonly tells: CallDescription["tells"];
  /** The file that was read: what it is decides which names it has. */
  readonly path?: string | undefined;
  /** So much of a report or a task is shown. */
  readonly room: number;
  /** Paths below it are written without it, as those of calls are. */
  readonly root?: string | undefined;
  /** What an old stretch leaves out is not worded. */
  readonly isBrief?: boolean | undefined;
}

/** In the place of what is not worded: no outcome weighs less. */
const UNWORDED = "x";
/** Of a line with one of these, wherever it stands, an old stretch may keep what came of the call; a colour may stand between its letters. */
const isKept = (text: string): boolean => ["=>", "plimsoll:", "failed: ", "\u001b"].some((sign) => text.includes(sign));

/** What is shown of a result; nothing where the call says it all. */
export function renderResult(
  result: ToolResultBlock,
  original: string,
  { tells, path = "", room, root, isBrief = false }: ResultOptions,
): Exclude<CallOutcome, "none"> {
  const whole = nameUnknown(result) ?? original;
  const { isError: failed } = result;
  const said = failed ? findSaidInRefusal(dropReminder(whole)) : undefined;
  const text = shortenPaths(dropReminder(whole), root);
  const isDeed = tells === "deed" || tells === "plan";
  if (tells === "wrote" && !failed && text.trim() === "") return { failed, text: "" };
  const isLasting = !failed && !isDeed && tells !== "look" && tells !== "read";
  const wasShortened = isMarker(text);
  const pictures = (text.includes(" plimsoll:") && text.match(PICTURE_NOTE)?.join(" ")) || "";
  const words = pictures === "" ? text : text.replace(PICTURE_NOTE, "");
  if (isDeed && !failed && !wasShortened) return { failed, text: pictures };
  // What is shown may later grow thin.
  if (whole.length <= MAX_RESULT_CHARACTERS) return { failed, text: renderWhole(whole), isLasting };
  // What was folded or cleared before is fetched by the handle it left. Its section is kept all the same: a result may only
  // look like a marker, and what is stored must not depend on the vocabulary.
  const [known] = wasShortened ? findHandles(text).slice(-1) : [];
  const isUnworded = isBrief && !failed && tells !== "task";
  if (known !== undefined)
    return { failed, text: renderShortenedBefore(known, isUnworded ? "" : digestPreview(text, room)) };
  if (said !== undefined) return { failed, text: renderWhole(`the person said: ${cutMiddle(said)}`) };
  const isLook = !failed && (tells === "look" || tells === "wrote");
  const facts = isLook ? findFacts(words, Math.min(room, MAX_FACTS_CHARACTERS)) : "";
  if (isUnworded && !isLasting && facts === "" && !isKept(text)) return { failed, text: UNWORDED };
  const { text: shown, isWhole } = failed ? { text: renderFailure(text), isWhole: true } : chooseTelling();
  const parts = [shown, isWhole ? "" : renderLineCount(countLines(whole)), pictures];
  return { failed, text: parts.filter((part) => part !== "").join(" "), isLasting: isLasting || facts !== "" };

  function chooseTelling(): Digest {
    const isShort = whole.length <= room;
    const reported = text.slice(0, room * 4);
    // What is to be done is no narration, however much it sounds like it.
    if (tells === "task") return { text: renderLine(stripMarkup(stripLineNumbers(reported)), room), isWhole: isShort };
    if (tells === "brief")
      return { text: renderLine(stripMarkup(dropNarration(stripLineNumbers(reported))), room), isWhole: isShort };
    if (tells === "landmark") return part(renderLine(findLandmarks(text).join("; "), MAX_LANDMARK_CHARACTERS));
    const content = stripLineNumbers(words);
    const most = Math.min(room, MAX_READ_CHARACTERS);
    if (tells === "read") return part(content.length <= most ? renderLine(content, most) : listNames(content, path));
    if (facts !== "") return part(facts);
    const total = renderLine(findTotal(text), MAX_TOTAL_CHARACTERS);
    if (total === "") return digestOutput(words, Math.min(room, MAX_LOOK_CHARACTERS));
    const findings = findFindings(text, Math.min(room, MAX_FACTS_CHARACTERS));
    return part(findings === "" ? total : `${total}: ${findings}`);
  }
}

function part(text: string): Digest {
  return { text, isWhole: false };
}

/**
 * The line that says what went wrong; where none does, the exit code with the last line. Then what was found, and which tests failed. Tests that
 * passed are never said to have failed.
 */
function renderFailure(text: string): string {
  const line = renderLine(findErrorLine(text, { isFailed: true }), MAX_ERROR_CHARACTERS);
  const [status = ""] = EXIT_CODE.exec(text) ?? [];
  const told = status === "" || line === status || hasErrorSign(text) ? line : `${status}; ${line}`;
  const findings = findFindings(text, MAX_FACTS_CHARACTERS);
  return findings === "" ? told : findings.includes(line.slice(-KNOWN_CHARACTERS)) ? findings : `${told} | ${findings}`;
}

const EXIT_CODE = /^Exit code \d{1,10}(?=\s|$)/;

/** The lines of a folded output's preview that say most. */
function digestPreview(marker: string, room: number): string {
  const [, preview = ""] = /\nPreview \([^)\n]{0,80}\):\n([\s\S]*?)\nFull output: /.exec(marker) ?? [];
  const bare = preview.replace(/^\d{1,9}: |^\d+ lines speak of .*\n/gm, "");
  const troubles = bare.split("\n").filter((line) => findTrouble(line) !== undefined);
  return digestOutput(troubles.length > 0 ? troubles.join("\n") : bare, Math.min(room, MAX_PREVIEW_CHARACTERS)).text;
}

/** What a client adds to a result is the same each time, and no part of what came of the call. */
function dropReminder(text: string): string {
  const own = text.trimEnd().endsWith(REMINDER_END) ? text.slice(0, text.lastIndexOf(REMINDER)).trimEnd() : text;
  return own.replace(/\nShell cwd was reset to [^\n]*$/, "");
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

/** Words that only say what is done next: the call that follows tells it, and what came of it. */
const ANNOUNCES =
  /(?:^|[,;:.—–-] ?)(?:(?:ok(?:ay)?|good|great|now|next|then|so|and|also|first|finally|actually|but)\b,? ){0,4}(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|now i|i(?: also| still| now)? (?:need|have|want) to|i should)\b/i;
const SETS_ABOUT =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|right|sure|yes|done|nice|now|next|then|so|and|also|first|finally|lastly|time to|need to|going to|we need to)\b[\s,.!:—–-]*){0,4}(?:updat|add|fix|check|run|read|look|creat|writ|verif|commit|pass|start|try|proceed|mark|test|build|replac|renam|remov|wir|edit|install|launch|dispatch|explor|search|continu|mov|set|stor|get|kill|restart|reload|wait|retry|clean|apply|mak|find|view|open|push|put|implement|rewrit|modif|dismiss|us|see|confirm|clos|simplif|refactor|delet|wrap|convert)(?:e|es|ing|ting|ning|ying|y|t)?\b/i;
/** The next of several steps, which its call tells. */
const NEXT_STEP = /^(?:now|also|next|then|lastly|finally)\b/i;
/** A reason makes it more than that; a finding does where the sentence only sets about something. */
const REASONS = /\b(?:because|since|so that|instead of|rather than|root cause|turns out|decided)\b/i;
const TELLS =
  /\b(?:instead|the (?:issue|problem|bug|cause|fix|reason|error) (?:is|was)|found|means|must|never|not|no|only|but|however|fails?|failed|failing|error|\d+)\b/i;
const INTERJECTION =
  /^(?:ok(?:ay)?|good(?: point)?|great|perfect|excellent|alright|right|sure|yes|done|nice|now|you're right|got it|absolutely|of course|interesting|found (?:it|them)|i see(?: the (?:issues?|problems?))?)[\s,.!:—–-]*$/i;
/** Longer sentences say more than what comes next. */
const MAX_PASSING_CHARACTERS = 200;
const MAX_LEAD_CHARACTERS = 24;

/**
 * A text without its sentences in passing, from which a later reader learns nothing that the work does not tell; empty where it has no others. What it
 * announces as the next step stays, unless another announcement has replaced it.
 */
export function dropNarration(text: string, { isReplaced = false }: { readonly isReplaced?: boolean } = {}): string {
  const sentences = splitWords(text);
  const telling = sentences.filter((sentence) =>
    isAnnouncement(sentence.trim()) ? !isReplaced || !isPassing(sentence) : !isPassing(sentence),
  );
  return telling.length === sentences.length ? text : telling.join(" ");
}

function isPassing(sentence: string): boolean {
  const words = sentence.trim();
  if (words === "" || INTERJECTION.test(words)) return true;
  if (words.length > MAX_PASSING_CHARACTERS || REASONS.test(words)) return false;
  const at = words.search(ANNOUNCES);
  // What stands before the announcement may be a finding.
  return (
    (at >= 0 && at <= MAX_LEAD_CHARACTERS) || (SETS_ABOUT.test(words) && (NEXT_STEP.test(words) || !TELLS.test(words)))
  );
}

/** Sentences and lines; a list or a block of code is parted at its line feeds. */
function splitWords(text: string): readonly string[] {
  return text.split(/(?<=[.!?])(?<!(?:^|\n|[.:!?]\s)\s{0,4}\d{1,3}\.)\s+(?=[A-Z"'`*(\d])|\n+/);
}

/** Shorter prompts stand whole, whatever is in them and however old they are. */
export const MAX_PROMPT_CHARACTERS = 2_000;
/** Nobody types so much: of the rest its beginning and its end stay, where people say what they want of it. */
const MAX_SHOWN_CHARACTERS = 12_000;
const END_CHARACTERS = 3_000;

/** What a person typed or pasted; the identical text where it is no longer than anybody types. */
export function cutMiddle(text: string): string {
  if (text.length <= MAX_SHOWN_CHARACTERS) return text;
  const end = text.slice(-END_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, "");
  return `${sliceWhole(text, MAX_SHOWN_CHARACTERS - END_CHARACTERS)}\n(…)\n${end}`;
}
