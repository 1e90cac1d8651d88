import { clipLine, toOneLine } from "../core/clip-text.ts";
import { isInquiry, reportsProblem } from "./episodes/episode-ending.ts";
import { CARRIES_ON, onlyInforms } from "./episodes/episode-rules.ts";
import type { CommandRecord } from "./track-commands.ts";
import type { FileRecord } from "./track-files.ts";
import type { UserWords } from "./track-words.ts";

const GOES_ON =
  /^(?:please |just |ok(?:ay)?,? )*(?:continue|carry on|keep going|go on|go ahead|go|resume|proceed|next|yes|yep|yeah|y|ok(?:ay)?|sure|thanks?|thank you)\b.{0,20}$/i;
const FEW_WORDS = 3;
const TELLING_WORDS = 4;
const ASKS_APPROVAL =
  /\b(?:looks?|sounds?|seems?|track|land) (?:right|good|ok(?:ay)?|fine)\b|\bmakes? sense\b|^\W{0,4}(?:does|do|is) (?:that|this|it|these)\b/i;
/** Longer remarks tell something that is to be dealt with. */
const REMARK_CHARACTERS = 40;

/**
 * What the person wants now: their newest words that say something, by themselves or with the question that they answer. "Go on" says
 * nothing, "yes" says whatever was asked.
 */
export function findStandingRequest({ words }: { readonly words: readonly UserWords[] }): UserWords | undefined {
  const isOwn = ({ text, answers = "" }: UserWords): boolean => isTelling(answers) || !isBare(toOneLine(text));
  // Where nothing better was said, an order such as "fix it" has to do.
  return words.findLast(isOwn) ?? words.findLast(({ text }) => !GOES_ON.test(text.trim()));
}

/** Whether a question says by itself what a yes to it means. */
function isTelling(question: string): boolean {
  return question.split(" ").length >= TELLING_WORDS && !ASKS_APPROVAL.test(question);
}

/** "Go on" and the like, and remarks on the work under way that ask for nothing. */
function isBare(text: string): boolean {
  if (CARRIES_ON.test(text)) return !FINISHES.test(text);
  return text.length <= REMARK_CHARACTERS && onlyInforms(text) && !reportsProblem(text) && !/\bstill\b/i.test(text);
}

/** In one line: the words, and the question where they cannot be understood without it. */
export function renderRequest({ text, answers = "" }: UserWords, maxCharacters: number): string {
  const line = toOneLine(text);
  const quoted = `"${clipLine(line, maxCharacters)}"`;
  return answers === "" || !isMereReply(line) ? quoted : `${quoted} to "${clipLine(answers, maxCharacters)}"`;
}

/** Whether words mean nothing without the question that they answer. */
export function isMereReply(text: string): boolean {
  const line = toOneLine(text);
  return (
    !FINISHES.test(line) && !line.startsWith("/") && (CARRIES_ON.test(line) || line.split(" ").length <= FEW_WORDS)
  );
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

/** Whether a prompt asks for nothing but the last steps of a piece of work. */
export function asksForLastSteps(text: string): boolean {
  return text.length <= SHORT_CHARACTERS && FINISHES.test(text);
}

/** Whether nothing but last steps was asked for, and a command that worked has carried out each of them. */
export function isCarriedOut(
  { commands }: { readonly commands: readonly CommandRecord[] },
  { text, request }: UserWords,
): boolean {
  const steps = asksForLastSteps(text) ? LAST_STEPS.filter(({ asked }) => asked.test(text)) : [];
  const since = commands.filter((command) => command.request > request && !command.isFailed);
  return steps.length > 0 && steps.every(({ done }) => since.some(({ command }) => done.test(command)));
}

const DELIVERS = /\bgit\b.{0,200}\b(?:commit|push)\b|\b(?:gh|glab) (?:pr|mr) create\b/;

/** A question is answered with words: whoever changes files or commits afterwards works for something else. */
export function isOvertaken(
  { files, commands }: { readonly files: readonly FileRecord[]; readonly commands: readonly CommandRecord[] },
  { text, request }: UserWords,
): boolean {
  return (
    isInquiry(text) &&
    (files.some(({ changedRequest }) => changedRequest > request) ||
      commands.some((command) => command.request > request && DELIVERS.test(command.command)))
  );
}
