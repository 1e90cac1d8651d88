import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { findPaths } from "../../session/sentences.ts";
import type { SessionState } from "../../session/session.ts";
import type { Convention } from "./entry-kinds.ts";
import { isCheck, isMisuse, isTest, toUsualCommand } from "./find-notes.ts";
import type { Instinct } from "./instincts.ts";
import type { Learning } from "./learnings.ts";

const MAX_LESSONS = 10;
/** Of more changes than this nobody knows which one it was. */
const MAX_FILES = 3;
const MAX_LINE = 200;
/** Seen once it is little more than a chance; every further failure of the same kind makes it surer. */
const FIRST_CONFIDENCE = 0.4;
const FURTHER_CONFIDENCE = 0.1;
/** A line that says only that something failed, or shows the code around it, teaches nothing. */
const UNTELLING =
  /^.{0,14}$|\b(?:task failed|exit(?:ed)?(?: with)?(?: status| code)? -?\d+|ELIFECYCLE|Command failed|\d+ (?:failed|errors?)|context deadline|due to \d+ previous errors?)\b|^\W*(?:FAIL(?:ED)?|ERROR)\b[^:]{0,80}$|\.png$|^(?:ok|Summary)\b|\(pass\)|^\s*\d+\s?\|/i;
/** Where a shell stood is not how a project is worked on. */
const ABOUT_FOLDER = /\bcd:/;

/** A call that was made wrongly and worked in another form, with nothing changed in between. */
export function findInstincts(state: SessionState): readonly Instinct[] {
  const commands = new Map(state.commands.map((record) => [record.callId, record.command]));
  return state.errors
    .filter(({ line, editedFiles }) => editedFiles.length === 0 && isMisuse(line) && !ABOUT_FOLDER.test(line))
    .flatMap(({ attempt, line, times, callId, resolvedBy }) => {
      const remedy = toUsualCommand(commands.get(resolvedBy) ?? "");
      if (remedy === "" || remedy === attempt || toUsualCommand(attempt) === "") return [];
      return [
        {
          name: attempt,
          trigger: `\`${attempt}\` fails: ${clipLine(line, MAX_LINE)}`,
          action: `\`${remedy}\` worked`,
          confidence: FIRST_CONFIDENCE + FURTHER_CONFIDENCE * (times - 1),
          evidence: `call:${callId}, then call:${resolvedBy}`,
        },
      ];
    })
    .slice(-MAX_LESSONS);
}

/** Which test or check failed with what, and which files were changed before the very same passed. */
export function findLearnings(state: SessionState): readonly Learning[] {
  const commands = new Map(state.commands.map((record) => [record.callId, record.command]));
  const learnings = state.errors.flatMap(({ attempt, line, editedFiles, times, resolvedBy }) => {
    const files = editedFiles.filter((file) => !/\/\.claude\//.test(file));
    const isTelling = !UNTELLING.test(line) && !isMisuse(line);
    const isSame = toUsualCommand(commands.get(resolvedBy) ?? "") === attempt && (isTest(attempt) || isCheck(attempt));
    if (files.length === 0 || editedFiles.length > MAX_FILES || !isTelling || !isSame) return [];
    const often = times > 1 ? ` ${times} times` : "";
    const insight = `failed${often} with "${clipLine(line, MAX_LINE)}"; passed after changes to ${files.join(", ")}`;
    return [{ key: attempt, type: "error", insight: toOneLine(insight), confidence: FIRST_CONFIDENCE, files }];
  });
  return learnings.slice(-MAX_LESSONS);
}

const MAX_CONVENTIONS = 10;
const MAX_TITLE = 80;
const MAX_PATTERN = 300;
/** An order for every time: "always" or "never" where an order begins, with the verb behind it ("never uses" tells, it orders nothing). */
const ORDERS =
  /(?:^|[,;:.—-]\s{1,3})(?:(?:and|but|so|also|please|then|you (?:should|must)|we (?:should|must)?|make sure (?:to|you|we)|if not,?|ok(?:ay)?,?)\s{1,3}){0,3}(?:always|never)\s(?!(?:in|on|at|the|a|an|be|been|had|seems?|the|to|for|of)\b)(?!\w{1,30}(?:ing|ed|s)\b)[a-z]{2,}/i;
/** For all time to come, in so many words. */
const HENCEFORTH =
  /\b(?:from now on|going forward)\b|^(?:please |also )?remember to\b|\bin this (?:project|repo(?:sitory)?|codebase),? (?:we|you|always|never|use|do not|don['’]?t)\b/i;
/** Wishes, guesses and what a program shall say to its own users are no rules for the work. */
const SUPPOSES =
  /\?\s*$|\b(?:might|maybe|perhaps|would be|wondering|i think|could|if (?:some|a) (?:task|user)|note (?:this|that|in)|the user)\b/i;

/** What the person laid down for all further work, word for word; what was only said of this once is none. */
export function findConventions({ words }: SessionState): readonly Convention[] {
  const sentences = words.flatMap(({ constraints }) => constraints).filter(isConvention);
  return [...new Set(sentences)].slice(-MAX_CONVENTIONS).map((sentence) => ({
    title: clipLine(sentence, MAX_TITLE),
    pattern: clipLine(sentence, MAX_PATTERN),
    example: "",
    appliesTo: findPaths(sentence).join(", "),
  }));
}

export function isConvention(sentence: string): boolean {
  if (sentence.length < 15 || sentence.length > MAX_PATTERN || SUPPOSES.test(sentence)) return false;
  return ORDERS.test(sentence) || HENCEFORTH.test(sentence);
}
