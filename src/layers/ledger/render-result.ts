import { clipEnds } from "../../core/clip-ends.ts";
import { toOneLine } from "../../core/clip-text.ts";
import { textField } from "../../core/json.ts";
import type { ToolResultBlock } from "../../core/message.ts";
import { findSaidInRefusal, isAnnouncement, takesBack } from "../../core/sentences.ts";
import { type Digest, digestOutput } from "../../fold/detect-kind.ts";
import { findErrorLine, hasErrorSign } from "../../fold/error-line.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines } from "../../fold/thresholds.ts";
import { findTrouble } from "../../fold/trouble.ts";
import { isMarker, renderLine } from "../history/markers.ts";
import type { CallVocabulary } from "../history/vocabulary.ts";
import { type CallDescription, shortenPaths, stripMarkup } from "./describe-call.ts";
import { listNames } from "./describe-change.ts";
import { findFacts, findFindings } from "./find-facts.ts";
import { findLandmarks, findTotal } from "./lasting-calls.ts";
import { type CallOutcome, renderLineCount, renderShortenedBefore, renderWhole } from "./ledger-text.ts";

const MAX_RESULT_CHARACTERS = 120;
/** A result of a few lines stays whole if it is no longer. Of a failure the line that says why is enough. */
const MAX_FEW_LINES_CHARACTERS = 200;
const FEW_LINES = 4;
const MAX_ERROR_CHARACTERS = 200;
const MAX_TOTAL_CHARACTERS = 100;
/** A line with the same ending as one already shown is not repeated. */
const KNOWN_CHARACTERS = 40;
const MAX_LANDMARK_CHARACTERS = 200;
/** For names and numbers taken from outputs of a known form. */
const MAX_FACTS_CHARACTERS = 240;
/** For answers that were only looked at, and results folded earlier. */
const MAX_LOOK_CHARACTERS = 128;
const MAX_PREVIEW_CHARACTERS = 160;
/** A read this short was a targeted lookup. */
const MAX_READ_CHARACTERS = 500;

export interface ResultOptions {
  readonly reports: CallDescription["reports"];
  /** The file that was read; its type decides which names are listed. */
  readonly path?: string | undefined;
  /** Characters shown of a report or a task. */
  readonly room: number;
  /** Paths below it are written relative to it, as in calls. */
  readonly root?: string | undefined;
  /** Skips wording what an old segment leaves out. */
  readonly isBrief?: boolean | undefined;
  readonly vocabulary: Pick<CallVocabulary, "dropAdded">;
}

/** Stands in for text that is not worded; no outcome is shorter. */
const UNWORDED = "x";
/** An old segment may keep the outcome of a line that contains one of these; a colour code may split their letters. */
const isKept = (text: string): boolean => ["=>", "plimsoll:", "failed: ", "\u001b"].some((sign) => text.includes(sign));

/** What is shown of a result; nothing if the call says it all. */
export function renderResult(
  result: ToolResultBlock,
  original: string,
  { reports, path = "", room, root, isBrief = false, vocabulary }: ResultOptions,
): Exclude<CallOutcome, "none"> {
  const whole = nameUnknown(result) ?? original;
  const { isError: failed } = result;
  const own = vocabulary.dropAdded?.(whole) ?? whole;
  const said = failed ? findSaidInRefusal(own) : undefined;
  const text = shortenPaths(own, root);
  const isAction = reports === "action" || reports === "plan";
  if (reports === "wrote" && !failed && text.trim() === "") return { failed, text: "" };
  const isLasting = !failed && !isAction && reports !== "look" && reports !== "read";
  const wasShortened = isMarker(text);
  const pictures = (text.includes(" plimsoll:") && text.match(PICTURE_NOTE)?.join(" ")) || "";
  const words = pictures === "" ? text : text.replace(PICTURE_NOTE, "");
  if (isAction && !failed && !wasShortened) return { failed, text: pictures };
  // It may be thinned later.
  if (whole.length <= MAX_RESULT_CHARACTERS || (!failed && reports !== "brief" && isShortResult(whole)))
    return { failed, text: renderWhole(whole), isLasting };
  // A result folded or cleared earlier is fetched by its own handle. Its section is kept all the same: a result may only look like a
  // marker, and what is stored must not depend on the vocabulary.
  const [known] = wasShortened ? findHandles(text).slice(-1) : [];
  const isUnworded = isBrief && !failed && reports !== "task";
  if (known !== undefined)
    return { failed, text: renderShortenedBefore(known, isUnworded ? "" : digestPreview(text, room)) };
  if (said !== undefined) return { failed, text: renderWhole(`the person said: ${cutMiddle(said)}`) };
  const isLook = !failed && (reports === "look" || reports === "wrote");
  const facts = isLook ? findFacts(words, Math.min(room, MAX_FACTS_CHARACTERS)) : "";
  if (isUnworded && !isLasting && facts === "" && !isKept(text)) return { failed, text: UNWORDED };
  const { text: shown, isWhole } = failed ? { text: renderFailure(text), isWhole: true } : chooseInformative();
  const parts = [shown, isWhole ? "" : renderLineCount(countLines(whole)), pictures];
  return { failed, text: parts.filter((part) => part !== "").join(" "), isLasting: isLasting || facts !== "" };

  function chooseInformative(): Digest {
    const isShort = whole.length <= room;
    // A task is not narration, however much it sounds like it.
    if (reports === "task") return { text: renderTask(stripLineNumbers(text), room), isWhole: isShort };
    if (reports === "brief") return { text: renderEnds(dropNarration(stripLineNumbers(text)), room), isWhole: isShort };
    if (reports === "landmark") return part(renderLine(findLandmarks(text).join("; "), MAX_LANDMARK_CHARACTERS));
    const content = stripLineNumbers(words);
    const most = Math.min(room, MAX_READ_CHARACTERS);
    if (reports === "read") return part(content.length <= most ? renderLine(content, most) : listNames(content, path));
    if (facts !== "") return part(facts);
    const total = renderLine(findTotal(text), MAX_TOTAL_CHARACTERS);
    if (total === "") return digestOutput(words, Math.min(room, MAX_LOOK_CHARACTERS));
    const findings = findFindings(text, Math.min(room, MAX_FACTS_CHARACTERS));
    return part(findings === "" ? total : `${total}: ${findings}`);
  }
}

function isShortResult(text: string): boolean {
  return text.length < MAX_FEW_LINES_CHARACTERS && countLines(text) <= FEW_LINES;
}

function part(text: string): Digest {
  return { text, isWhole: false };
}

/** The line that says what went wrong, or the exit code with the last line; then findings and failed tests. Passed tests are never reported as failed. */
function renderFailure(text: string): string {
  const line = renderLine(findErrorLine(text, { isFailed: true }), MAX_ERROR_CHARACTERS);
  const [status = ""] = EXIT_CODE.exec(text) ?? [];
  const shown = status === "" || line === status || hasErrorSign(text) ? line : `${status}; ${line}`;
  const findings = findFindings(text, MAX_FACTS_CHARACTERS);
  return findings === ""
    ? shown
    : findings.includes(line.slice(-KNOWN_CHARACTERS))
      ? findings
      : `${shown} | ${findings}`;
}

const EXIT_CODE = /^Exit code \d{1,10}(?=\s|$)/;

function digestPreview(marker: string, room: number): string {
  const [, preview = ""] = /\nPreview \([^)\n]{0,80}\):\n([\s\S]*?)\nFull output: /.exec(marker) ?? [];
  const bare = preview.replace(/^\d{1,9}: |^\d+ lines speak of .*\n/gm, "");
  const troubles = bare.split("\n").filter((line) => findTrouble(line) !== undefined);
  return digestOutput(troubles.length > 0 ? troubles.join("\n") : bare, Math.min(room, MAX_PREVIEW_CHARACTERS)).text;
}

/** As reading tools number a file: a number, an arrow or a tab, the line. */
function stripLineNumbers(text: string): string {
  return /^ {0,9}\d+[→\t]/.test(text) ? text.replace(/^ {0,9}\d+[→\t]/gm, "") : text;
}

/** What an entry point leaves instead of a picture; its handle stays in view. */
const PICTURE_NOTE = /\[(?:picture|document) plimsoll:[0-9a-f]{12}[^\]\n]*\]/g;

/** Names the unknown parts of a result by kind and name; `undefined` if there are none. */
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

/** Words that only announce the next step, which the following call shows with its outcome. */
const ANNOUNCES =
  /(?:^|[,;:.—–-] ?)(?:(?:ok(?:ay)?|good|great|now|next|then|so|and|also|first|finally|actually|but)\b,? ){0,4}(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|now i|i(?: also| still| now)? (?:need|have|want) to|i should)\b/i;
const SETS_ABOUT =
  /^(?:(?:ok(?:ay)?|good|great|perfect|excellent|alright|right|sure|yes|done|nice|now|next|then|so|and|also|first|finally|lastly|time to|need to|going to|we need to)\b[\s,.!:—–-]*){0,4}(?:updat|add|fix|check|run|read|look|creat|writ|verif|commit|pass|start|try|proceed|mark|test|build|replac|renam|remov|wir|edit|install|launch|dispatch|explor|search|continu|mov|set|stor|get|kill|restart|reload|wait|retry|clean|apply|mak|find|view|open|push|put|implement|rewrit|modif|dismiss|us|see|confirm|clos|simplif|refactor|delet|wrap|convert)(?:e|es|ing|ting|ning|ying|y|t)?\b/i;
/** Words that introduce the next of several steps, which its call shows. */
const NEXT_STEP = /^(?:now|also|next|then|lastly|finally)\b/i;
/** A reason makes a sentence worth keeping; so does a finding if the sentence only announces a start. */
const REASONS = /\b(?:because|since|so that|instead of|rather than|root cause|turns out|decided)\b/i;
const REPORTS =
  /\b(?:instead|the (?:issue|problem|bug|cause|fix|reason|error) (?:is|was)|found|means|must|never|not|no|only|but|however|fails?|failed|failing|error|\d+)\b/i;
const INTERJECTION =
  /^(?:ok(?:ay)?|good(?: point)?|great|perfect|excellent|alright|right|sure|yes|done|nice|now|you're right|got it|absolutely|of course|interesting|found (?:it|them)|i see(?: the (?:issues?|problems?))?)[\s,.!:—–-]*$/i;
/** Longer sentences say more than what comes next. */
const MAX_PASSING_CHARACTERS = 200;
const MAX_LEAD_CHARACTERS = 24;

/** Removes passing sentences, which say nothing that the work does not show. An announced next step stays unless a later one replaced it. */
export function dropNarration(text: string, { isReplaced = false }: { readonly isReplaced?: boolean } = {}): string {
  const sentences = text.split(WORDS_END);
  const informative = sentences.filter((sentence) =>
    isAnnouncement(sentence.trim()) ? !isReplaced || !isPassing(sentence) : !isPassing(sentence),
  );
  return informative.length === sentences.length ? text : informative.join(" ");
}

function isPassing(sentence: string): boolean {
  const words = sentence.trim();
  if (words === "" || INTERJECTION.test(words)) return true;
  if (words.length > MAX_PASSING_CHARACTERS || REASONS.test(words) || takesBack(words)) return false;
  const at = words.search(ANNOUNCES);
  // The text before the announcement may be a finding.
  return (
    (at >= 0 && at <= MAX_LEAD_CHARACTERS) ||
    (SETS_ABOUT.test(words) && (NEXT_STEP.test(words) || !REPORTS.test(words)))
  );
}

/** The ends of sentences and lines; lists and code blocks are split at line feeds. */
const WORDS_END = /(?<=[.!?])(?<!(?:^|\n|[.:!?]\s)\s{0,4}\d{1,3}\.)\s+(?=[A-Z"'`*(\d])|\n+/;

/** Shorter prompts are kept whole, whatever their content or age. */
export const MAX_PROMPT_CHARACTERS = 2_000;
/** Nobody types this much: of longer text both ends stay, where people say what they want. */
const MAX_SHOWN_CHARACTERS = 12_000;

/** A typed or pasted text; returned unchanged if it is no longer than people type. */
export function cutMiddle(text: string): string {
  return clipEnds(text, MAX_SHOWN_CHARACTERS);
}

/** Work is measured by it: a task that is shown in part is fetched before the work goes on. */
function renderTask(text: string, room: number): string {
  return renderEnds(text, room) + (text.length > room ? FETCH_FIRST : "");
}

const FETCH_FIRST = " (shown in part: recall it whole before you go on with it)";

/** Prose in one line: if it is too long, both ends, with the headings and rules between them. */
export function renderEnds(text: string, maxCharacters: number): string {
  // Headings are named by their marks, which go before the line is shown.
  return toOneLine(stripMarkup(clipEnds(text, maxCharacters)));
}
