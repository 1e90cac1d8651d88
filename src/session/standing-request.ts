import { clipLine, sliceWhole, toOneLine } from "../core/clip-text.ts";
import { isInquiry, reportsProblem } from "./episodes/episode-ending.ts";
import { carriesOn, onlyInforms } from "./episodes/episode-rules.ts";
import type { CommandRecord } from "./track-commands.ts";
import type { FileRecord } from "./track-files.ts";
import type { UserWords } from "./track-words.ts";

const GOES_ON =
  /^(?:please |just |ok(?:ay)?,? )*(?:continue|carry on|keep going|go on|go ahead|go|resume|proceed|next|yes|yep|yeah|y|ok(?:ay)?|sure|thanks?|thank you)\b.{0,20}$/i;
const FEW_WORDS = 3;
const INFORMATIVE_WORDS = 4;
const ASKS_APPROVAL =
  /\b(?:looks?|sounds?|seems?|track|land) (?:right|good|ok(?:ay)?|fine)\b|\bmakes? sense\b|^\W{0,4}(?:does|do|is) (?:that|this|it|these)\b/i;
/** Longer remarks need to be dealt with. */
const REMARK_CHARACTERS = 40;

/** What the person wants now: their newest meaningful words. "Go on" says nothing; "yes" says whatever was asked. */
export function findStandingRequest({ words }: { readonly words: readonly UserWords[] }): UserWords | undefined {
  const isOwn = ({ text, answers = "" }: UserWords): boolean => isInformative(answers) || !isBare(toOneLine(text));
  // If nothing better was said, an order such as "fix it" has to do.
  return words.findLast(isOwn) ?? words.findLast(({ text }) => !GOES_ON.test(text.trim()));
}

function isInformative(question: string): boolean {
  return question.split(" ").length >= INFORMATIVE_WORDS && !ASKS_APPROVAL.test(question);
}

const ADDS_CONDITION =
  /^(?:(?:and|also|oh|but|ok(?:ay)?|please|btw),?\s){0,3}(?:(?:before|when|while) (?:you|we|making|doing|changing)\b.{0,60}?,?\s)?(?:remember (?:to|that)|do(?:n['’]?t| not) forget|keep in mind|note that|think (?:deeply|hard(?:er)?|carefully)|ultrathink|take your time|be careful)\b.{0,150}$/i;

/** "Go on" and the like, conditions, and remarks that ask for nothing. */
function isBare(text: string): boolean {
  if (carriesOn(text)) return !FINISHES.test(text);
  if (ADDS_CONDITION.test(text)) return true;
  return text.length <= REMARK_CHARACTERS && onlyInforms(text) && !reportsProblem(text) && !/\bstill\b/i.test(text);
}

/** The words in one line, with the question if they cannot be understood without it. */
export function renderRequest({ text, answers = "" }: UserWords, maxCharacters: number): string {
  const line = toOneLine(text);
  const quoted = `"${clipMiddle(line, maxCharacters)}"`;
  return answers === "" || !isMereReply(line) ? quoted : `${quoted} to "${clipLine(answers, maxCharacters)}"`;
}

const TWO_PARTS = 200;

/** A long prompt says what it wants at its beginning or end; pasted material is in between. */
function clipMiddle(line: string, maxCharacters: number): string {
  if (line.length <= maxCharacters || maxCharacters < TWO_PARTS) return clipLine(line, maxCharacters);
  const head = sliceWhole(line, Math.floor(maxCharacters * 0.35)).trimEnd();
  return `${head} … ${line.slice(head.length + 3 - maxCharacters).replace(/^\S{0,15}\s/, "")}`;
}

export function isMereReply(text: string): boolean {
  const line = toOneLine(text);
  return !FINISHES.test(line) && !line.startsWith("/") && (carriesOn(line) || line.split(" ").length <= FEW_WORDS);
}

/** The last steps of a piece of work, and the commands that carry them out. */
const LAST_STEPS: readonly { readonly asked: RegExp; readonly done: RegExp }[] = [
  { asked: /\bcommit/i, done: /\bgit\b.{0,200}\bcommit\b/ },
  { asked: /\bpush/i, done: /\bgit\b.{0,200}\bpush\b/ },
  { asked: /\b(?:pr|pull request|mr)\b/i, done: /\b(?:gh|glab) (?:pr|mr) create\b/ },
  { asked: /\bmerge/i, done: /\b(?:git|gh|glab)\b.{0,200}\smerge(?=\s|$)/ },
  { asked: /\b(?:tag|release|publish)/i, done: /(?:^|\s)(?:tag|release|publish)(?=\s|$)/ },
];
const FINISHES = /\b(?:commit|push|merge|pr|pull request|tag|release|publish|ship)\b/i;
/** Longer prompts ask for more than the last steps. */
const SHORT_CHARACTERS = 80;

/** A step repeated with every part of the work is not over with the first. */
const REPEATS = /\b(?:each|every|atomic\w{0,6}|separate\w{0,2}|one by one|as you go|whenever|always)\b/i;
const POLITE = /^\W*(?:please|thanks?|thank you|nice|great|ok(?:ay)?)?\W*$/i;

/** Whether a prompt asks only for last steps. A further order, as in "merge it and tidy up", is more. */
export function asksForLastSteps(text: string): boolean {
  if (text.length > SHORT_CHARACTERS || REPEATS.test(text)) return false;
  const parts = text.split(/[,;.!?&]|\b(?:and|then|plus)\b/i).filter((part) => !POLITE.test(part));
  return FINISHES.test(parts.at(-1) ?? "");
}

/** Whether only last steps were asked for, and a successful command has carried out each of them. */
export function isCarriedOut(
  { commands }: { readonly commands: readonly CommandRecord[] },
  { text, request }: UserWords,
): boolean {
  const steps = asksForLastSteps(text) ? LAST_STEPS.filter(({ asked }) => asked.test(text)) : [];
  const since = commands.filter((command) => command.request > request && !command.isFailed);
  return steps.length > 0 && steps.every(({ done }) => since.some(({ command }) => done.test(command)));
}

/** A pull request stays open until someone merges it. */
export function opensReview(commands: readonly CommandRecord[], request: number): boolean {
  return commands.some((ran) => ran.request > request && /\b(?:gh|glab) (?:pr|mr) create\b/.test(ran.command));
}

const DELIVERS = /\bgit\b.{0,200}\b(?:commit|push)\b|\b(?:gh|glab) (?:pr|mr) create\b/;

export function isDelivered(commands: readonly CommandRecord[], request: number): boolean {
  return commands.some((ran) => ran.request > request && !ran.isFailed && DELIVERS.test(ran.command));
}

/** A question that leads to an order is answered with work. */
const ORDERS =
  /\bi(?: want| need|['’]d like| would like)\b|\b(?:and|then|,)\s+(?:then |also |please |if .{1,30} ){0,2}(?:write|make|create|fix|add|update|implement|change|commit|push|merge|move|remove|rename|refactor|build|apply|install|deploy|run)\b/i;

/** A question is answered with words: later file changes or commits belong to something else. */
export function isOvertaken(
  { files, commands }: { readonly files: readonly FileRecord[]; readonly commands: readonly CommandRecord[] },
  { text, request }: UserWords,
): boolean {
  return (
    isInquiry(text) &&
    !ORDERS.test(text) &&
    (files.some(({ changedRequest }) => changedRequest > request) || isDelivered(commands, request))
  );
}
