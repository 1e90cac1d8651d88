import type { JsonObject } from "../../src/core/json.ts";
import { type Asker, askFor } from "./ask.ts";
import { type AnswerSheet, findJson, parseSheet } from "./quiz/answer-sheet.ts";
import {
  batchItems,
  type Grade,
  type Grades,
  type GradingItem,
  listUngraded,
  parseGrade,
  parseGrades,
  renderGraderPrompt,
} from "./quiz/grading.ts";
import type { Quiz } from "./quiz/quiz.ts";
import { readQuiz } from "./read-quiz.ts";
import type { ReadingFolder } from "./reading-folder.ts";
import { type Task, weighPrompt } from "./task.ts";

/** A score and a flag. */
const GRADE_TOKENS = 15;

/** All answers of a session that this grader has not graded, whoever gave them. */
export function planGrading(folders: readonly ReadingFolder[], asker: Asker, grader: string): readonly Task[] {
  return folders.flatMap((folder) => {
    const quiz = readQuiz(folder);
    const sheets = listSheets(folder, quiz).map(({ sheet }) => sheet);
    const batches = batchItems(listUngraded(quiz, sheets, readGrades(folder, grader)));
    return batches.map((items): Task => {
      const prompt = renderGraderPrompt(items);
      const promptTokens = weighPrompt(prompt);
      return {
        name: `${folder.name} ${nameBatch(items)}`,
        requests: 1,
        promptTokens,
        largestPromptTokens: promptTokens,
        answerTokens: items.reduce((sum, { answers }) => sum + answers.length * GRADE_TOKENS, 0),
        canRecall: false,
        async run() {
          const { grades } = await askFor(asker, {
            prompt,
            name: `${grader}-grades-${nameBatch(items)}`,
            folder,
            parse: (text) => parseGrades(findJson(text) ?? {}, items),
          });
          folder.writeJson(gradesFile(grader), { ...readGrades(folder, grader), ...grades });
        },
      };
    });
  });
}

function nameBatch(items: readonly GradingItem[]): string {
  return [...new Set([items[0]?.id ?? "", items.at(-1)?.id ?? ""])].join("-to-");
}

function gradesFile(grader: string): string {
  return `grades/${grader}.json`;
}

export function readGrades(folder: ReadingFolder, grader: string): Grades {
  const stored: JsonObject = folder.readJson(gradesFile(grader)) ?? {};
  const grades: Record<string, Grade> = {};
  for (const [name, value] of Object.entries(stored)) {
    const grade = parseGrade(value);
    if (grade) grades[name] = grade;
  }
  return grades;
}

export interface NamedSheet {
  readonly reader: string;
  readonly letter: string;
  readonly sheet: AnswerSheet;
}

/** What all readers have said of all memories of a session. */
export function listSheets(folder: ReadingFolder, quiz: Quiz): readonly NamedSheet[] {
  return folder.list("answers").flatMap((reader) =>
    folder.list(`answers/${reader}`).flatMap((file) => {
      const sheet = parseSheet(folder.readJson(`answers/${reader}/${file}`) ?? {}, quiz);
      return sheet ? [{ reader, letter: file.replace(/\.json$/, ""), sheet }] : [];
    }),
  );
}
