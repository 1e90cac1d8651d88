import { isObject, listField, textField, textListField } from "../../../src/core/json.ts";

export const QUESTION_KINDS = ["next", "understanding", "detail"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface Question {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** What an answer must say. */
  readonly key: readonly string[];
}

export interface Quiz {
  readonly questions: readonly Question[];
  /** What the model really did next. */
  readonly nextAction: string;
}

/** By this name the next action is asked for and graded like a question. */
export const NEXT_ACTION = "nextAction";

/** A quiz as somebody wrote it, or what is wrong with it. */
export function parseQuiz(value: unknown): Quiz | { readonly problem: string } {
  if (!isObject(value)) return { problem: "a quiz is a JSON object with questions and nextAction" };
  const questions: Question[] = [];
  for (const [index, item] of listField(value, "questions").entries()) {
    if (!isObject(item)) return { problem: `question ${index + 1} is no object` };
    const kind = QUESTION_KINDS.find((known) => known === item.kind);
    const question = textField(item, "question").trim();
    const key = textListField(item, "key");
    const id = textField(item, "id") || `q${index + 1}`;
    if (kind === undefined) return { problem: `${id} has none of the kinds ${QUESTION_KINDS.join(", ")}` };
    if (question === "" || key.length === 0) return { problem: `${id} lacks its question or its key` };
    if (id === NEXT_ACTION || questions.some((known) => known.id === id)) return { problem: `the id ${id} is taken` };
    questions.push({ id, kind, question, key });
  }
  const nextAction = textField(value, NEXT_ACTION).trim();
  if (questions.length === 0) return { problem: "it holds no questions" };
  return nextAction === "" ? { problem: "it lacks nextAction" } : { questions, nextAction };
}
