import type { JsonObject } from "../../../src/core/json.ts";
import { isObject, numberField, objectField, textField } from "../../../src/core/json.ts";
import { NEXT_ACTION, type Quiz } from "./quiz.ts";

/** What a reader said, by question. */
export type Answers = Readonly<Record<string, string>>;

/** Everything that one reader said of one memory. */
export interface AnswerSheet {
  readonly inView: Answers;
  readonly nextAction: string;
  /** Absent where nothing could be recalled, or has not been asked for yet. */
  readonly withRecall?: Answers;
  /** How many recalls that took in prompts; those of `npm run lab -- reading --recall` are counted apart. */
  readonly recalls?: number;
}

/** A sheet as it lies in a folder; a phase that is not complete counts as not asked. */
export function parseSheet(value: JsonObject, quiz: Quiz): AnswerSheet | undefined {
  const inView = takeAnswers(objectField(value, "inView"), quiz);
  if (inView === undefined) return undefined;
  const withRecall = takeAnswers(objectField(value, "withRecall"), quiz);
  const recalls = numberField(value, "recalls");
  return {
    inView,
    nextAction: textField(value, NEXT_ACTION),
    ...(withRecall === undefined ? {} : { withRecall }),
    ...(recalls === undefined ? {} : { recalls }),
  };
}

/** The answers to all questions out of `{ "answers": { "q1": "..." } }`, or what is missing. */
export function parseAnswers(
  value: JsonObject,
  quiz: Quiz,
): { readonly answers: Answers; readonly nextAction: string } | { readonly problem: string } {
  const given = objectField(value, "answers") ?? value;
  const missing = quiz.questions.filter(({ id }) => !isAnswer(given[id])).map(({ id }) => id);
  if (missing.length > 0) return { problem: `no answer to ${missing.join(", ")}` };
  return { answers: takeAnswers(given, quiz) ?? {}, nextAction: textField(value, NEXT_ACTION) };
}

function takeAnswers(given: JsonObject | undefined, { questions }: Quiz): Answers | undefined {
  if (given === undefined || questions.some(({ id }) => !isAnswer(given[id]))) return undefined;
  return Object.fromEntries(questions.map(({ id }) => [id, String(given[id]).trim()]));
}

function isAnswer(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** "Unknown" is worth nothing and says nothing wrong: nobody has to be asked. */
export function isUnknown(answer: string): boolean {
  return /^\W*(?:unknown|not known|i do not know|i don't know)?\W*$/i.test(answer);
}

/** Where a model talks before it answers, each line that opens with a brace may be where the answer begins. */
const MAX_TRIES = 20;

/** The JSON object that a model's answer ends with, whatever it said before it or fenced it in. */
export function findJson(text: string): JsonObject | undefined {
  const end = text.lastIndexOf("}") + 1;
  const starts = [text.indexOf("{"), ...[...text.matchAll(/^[ \t]{0,20}\{/gm)].map(({ index }) => index)];
  for (const start of new Set(starts.filter((at) => at >= 0).slice(0, MAX_TRIES))) {
    try {
      const value: unknown = JSON.parse(text.slice(start, end));
      if (isObject(value)) return value;
    } catch {
      // Not here: a brace in the words before it.
    }
  }
  return undefined;
}
