import { hashText } from "../../../src/core/hash.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { isObject, listField } from "../../../src/core/json.ts";
import { type AnswerSheet, isUnknown } from "./answer-sheet.ts";
import { GRADER_PROMPT } from "./prompts.ts";
import { NEXT_ACTION, type Quiz } from "./quiz.ts";

export interface Grade {
  readonly score: number;
  readonly wrong: boolean;
}

/** Grades by question and answer. The same words are graded once, whoever said them: so nobody is graded, only what was said. */
export type Grades = Readonly<Record<string, Grade>>;

interface Asked {
  readonly id: string;
  readonly question: string;
  readonly key: readonly string[];
}

/** Answers to one question that are graded side by side. */
export interface GradingItem extends Asked {
  readonly answers: readonly string[];
}

function nameGrade(item: Asked, answer: string): string {
  return `${item.id} ${hashText(`${item.question}\n${answer}`)}`;
}

const UNKNOWN: Grade = { score: 0, wrong: false };

/** What an answer is worth; `undefined` where nobody has said it. */
export function findGrade(grades: Grades, item: Asked, answer: string): Grade | undefined {
  return isUnknown(answer) ? UNKNOWN : grades[nameGrade(item, answer)];
}

/** The next action is graded like a question. */
export function listGraded({ questions, nextAction }: Quiz): readonly Asked[] {
  const next = { id: NEXT_ACTION, question: "What would you do next?", key: [nextAction] };
  return [...questions.map(({ id, question, key }) => ({ id, question, key })), next];
}

/** What is still to be graded, question by question, each answer once, in an order that tells nothing of who gave it. */
export function listUngraded(quiz: Quiz, sheets: readonly AnswerSheet[], grades: Grades): readonly GradingItem[] {
  return listGraded(quiz).flatMap((item) => {
    const given = sheets.flatMap((sheet) => listAnswers(sheet, item.id));
    const answers = [...new Set(given)]
      .filter((answer) => findGrade(grades, item, answer) === undefined)
      .sort((left, right) => (hashText(left) < hashText(right) ? -1 : 1));
    return answers.length === 0 ? [] : [{ ...item, answers }];
  });
}

function listAnswers({ inView, withRecall, nextAction }: AnswerSheet, id: string): readonly string[] {
  if (id === NEXT_ACTION) return [nextAction];
  return [inView[id] ?? "", withRecall?.[id] ?? ""];
}

/** A model is asked about so much at once; more makes it careless. */
const MAX_BATCH_ANSWERS = 60;

/** Whole questions together, so that the answers to one are graded by the same eyes. */
export function batchItems(items: readonly GradingItem[]): readonly (readonly GradingItem[])[] {
  const batches: GradingItem[][] = [];
  let answers = 0;
  for (const item of items) {
    if (batches.length === 0 || answers + item.answers.length > MAX_BATCH_ANSWERS) {
      batches.push([]);
      answers = 0;
    }
    batches.at(-1)?.push(item);
    answers += item.answers.length;
  }
  return batches;
}

export function renderGraderPrompt(items: readonly GradingItem[]): string {
  const asked = items.map(({ id, question, key, answers }) =>
    [
      `## ${id}. ${question}`,
      `Key: ${key.join("; ")}`,
      ...answers.map((answer, index) => `Answer ${index + 1}: ${answer.replace(/\s+/g, " ")}`),
    ].join("\n"),
  );
  return [GRADER_PROMPT, ...asked].join("\n\n");
}

/** A grader's answer as grades, or what is wrong with it. */
export function parseGrades(
  value: JsonObject,
  items: readonly GradingItem[],
): { readonly grades: Grades } | { readonly problem: string } {
  const grades: Record<string, Grade> = {};
  for (const item of items) {
    const given = listField(value, item.id);
    if (given.length !== item.answers.length)
      return { problem: `${given.length} grades for the ${item.answers.length} answers to ${item.id}` };
    for (const [index, answer] of item.answers.entries()) {
      const grade = parseGrade(given[index]);
      if (grade === undefined) return { problem: `${item.id}, answer ${index + 1}: a score is 1, 0.5 or 0` };
      grades[nameGrade(item, answer)] = grade;
    }
  }
  return { grades };
}

export function parseGrade(value: unknown): Grade | undefined {
  if (!isObject(value)) return undefined;
  const score = [0, 0.5, 1].find((known) => known === value.score);
  return score === undefined ? undefined : { score, wrong: value.wrong === true };
}
