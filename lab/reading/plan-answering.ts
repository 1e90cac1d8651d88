import { findHandles } from "../../src/fold/marker.ts";
import { type Asker, askFor } from "./ask.ts";
import { type AnswerSheet, type Answers, findJson, parseAnswers, parseSheet } from "./quiz/answer-sheet.ts";
import { type AskedRecall, parseRecalls } from "./quiz/parse-recalls.ts";
import { type Recalled, renderReaderPrompt, renderRecallPrompt } from "./quiz/prompts.ts";
import type { Quiz } from "./quiz/quiz.ts";
import { readQuiz } from "./read-quiz.ts";
import type { ReadingFolder } from "./reading-folder.ts";
import { openOriginals, renderRecallAnswer } from "./recall-original.ts";
import { type Task, weighPrompt } from "./task.ts";

/** A reader who still has not found it goes without. */
const MAX_ROUNDS = 12;
/** One to three sentences for each question. */
const ANSWER_TOKENS = 80;

/** Every memory that this reader has not answered yet, first from the text alone, then with recall where it names handles. */
export function planAnswering(folders: readonly ReadingFolder[], asker: Asker, reader: string): readonly Task[] {
  return folders.flatMap((folder) => {
    const quiz = readQuiz(folder);
    const letters = folder.list("blind").map((file) => file.replace(/\.txt$/, ""));
    return letters.flatMap((letter) => {
      const memory = folder.readText(`blind/${letter}.txt`);
      const file = `answers/${reader}/${letter}.json`;
      const known = parseSheet(folder.readJson(file) ?? {}, quiz);
      const canRecall = findHandles(memory).length > 0;
      if (known && (known.withRecall || !canRecall)) return [];
      const promptTokens = weighPrompt(renderReaderPrompt(memory, quiz));
      const requests = (known ? 0 : 1) + (canRecall ? 1 : 0);
      return [
        {
          name: `${folder.name} ${letter}`,
          requests,
          promptTokens: promptTokens * requests,
          largestPromptTokens: promptTokens,
          answerTokens: quiz.questions.length * ANSWER_TOKENS * requests,
          canRecall,
          async run() {
            const reading: Reading = { folder, quiz, memory, asker, name: `${reader}-${letter}` };
            const seen = known ?? (await answerInView(reading));
            folder.writeJson(file, seen);
            if (canRecall) folder.writeJson(file, { ...seen, ...(await answerWithRecall(reading, seen.inView)) });
          },
        } satisfies Task,
      ];
    });
  });
}

interface Reading {
  readonly folder: ReadingFolder;
  readonly quiz: Quiz;
  readonly memory: string;
  readonly asker: Asker;
  readonly name: string;
}

async function answerInView({ folder, quiz, memory, asker, name }: Reading): Promise<AnswerSheet> {
  const { answers, nextAction } = await askFor(asker, {
    prompt: renderReaderPrompt(memory, quiz),
    name: `${name}-view`,
    folder,
    parse: (text) => parseAnswers(findJson(text) ?? {}, quiz),
  });
  return { inView: answers, nextAction };
}

/** The reader asks for handles until it answers, or until enough has been asked. */
async function answerWithRecall(
  { folder, quiz, memory, asker, name }: Reading,
  inView: Answers,
): Promise<Pick<AnswerSheet, "withRecall" | "recalls">> {
  const originals = openOriginals(folder);
  const recalled: Recalled[] = [];
  for (let round = 1; ; round++) {
    const isLast = round === MAX_ROUNDS;
    const said = await askFor(asker, {
      prompt: renderRecallPrompt(memory, quiz, { inView, recalled, isLast }),
      name: `${name}-recall-${round}`,
      folder,
      parse: (text) => parseRound(text, { quiz, isLast }),
    });
    if ("answers" in said) return { withRecall: said.answers, recalls: recalled.length };
    for (const { asked, input } of said.recalls)
      recalled.push({ asked, text: renderRecallAnswer(await originals.answer(input)) });
  }
}

type Round = { readonly recalls: readonly AskedRecall[] } | { readonly answers: Answers };

function parseRound(
  text: string,
  { quiz, isLast }: { readonly quiz: Quiz; readonly isLast: boolean },
): Round | { readonly problem: string } {
  const recalls = isLast ? [] : parseRecalls(text);
  return recalls.length > 0 ? { recalls } : parseAnswers(findJson(text) ?? {}, quiz);
}
