import { type Asker, askFor } from "./ask.ts";
import { findJson } from "./quiz/answer-sheet.ts";
import { renderWriterPrompt } from "./quiz/prompts.ts";
import { parseQuiz } from "./quiz/quiz.ts";
import type { ReadingFolder } from "./reading-folder.ts";
import { type Task, weighPrompt } from "./task.ts";

export const QUIZ_FILE = "quiz.json";
/** Twelve questions with their keys. */
const ANSWER_TOKENS = 2500;

/** A quiz for every session that has none. */
export function planWriting(folders: readonly ReadingFolder[], asker: Asker): readonly Task[] {
  return folders
    .filter((folder) => !folder.has(QUIZ_FILE))
    .map((folder): Task => {
      const prompt = renderWriterPrompt(folder.readText("full.txt"), folder.readText("next.txt"));
      const promptTokens = weighPrompt(prompt);
      return {
        name: folder.name,
        requests: 1,
        promptTokens,
        largestPromptTokens: promptTokens,
        answerTokens: ANSWER_TOKENS,
        canRecall: false,
        async run() {
          const parse = (text: string) => parseQuiz(findJson(text));
          folder.writeJson(QUIZ_FILE, await askFor(asker, { prompt, name: "quiz", folder, parse }));
        },
      };
    });
}
