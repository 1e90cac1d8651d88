import { CliError } from "../../src/entry/cli/command.ts";
import { QUIZ_FILE } from "./plan-writing.ts";
import { parseQuiz, type Quiz } from "./quiz/quiz.ts";
import type { ReadingFolder } from "./reading-folder.ts";

/** The quiz of a session, which somebody may have written by hand. */
export function readQuiz(folder: ReadingFolder): Quiz {
  const stored = folder.readJson(QUIZ_FILE);
  if (stored === undefined)
    throw new CliError(`${folder.path} has no ${QUIZ_FILE}: write one, or let --writer "COMMAND" do it`);
  const quiz = parseQuiz(stored);
  if ("problem" in quiz) throw new CliError(`${folder.path}/${QUIZ_FILE}: ${quiz.problem}`);
  return quiz;
}
