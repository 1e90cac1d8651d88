import { isObject, numberField, objectField, textField } from "../../src/core/json.ts";
import { RECALLS_FILE } from "./count-recall.ts";
import { listSheets, readGrades } from "./plan-grading.ts";
import { QUIZ_FILE } from "./plan-writing.ts";
import type { ReadMemory, ReadSession } from "./quiz/score-readings.ts";
import { readQuiz } from "./read-quiz.ts";
import { type ReadingFolder, SESSION_FILE } from "./reading-folder.ts";

/** Sessions with a quiz, with all that readers said and graders gave. */
export function collectReadings(folders: readonly ReadingFolder[]): readonly ReadSession[] {
  return folders.filter((folder) => folder.has(QUIZ_FILE)).map(collectReading);
}

function collectReading(folder: ReadingFolder): ReadSession {
  const quiz = readQuiz(folder);
  const key = folder.readJson("key.json") ?? {};
  const weights = objectField(folder.readJson(SESSION_FILE) ?? {}, "memories") ?? {};
  const sheets = listSheets(folder, quiz);
  const asked = countAsked(folder);
  const memories = Object.keys(key).map((letter): ReadMemory => {
    const name = textField(key, letter);
    const weight = weights[name];
    const readings = sheets
      .filter((each) => each.letter === letter)
      .map(({ reader, sheet }) => ({
        reader,
        sheet,
        recalls: (sheet.recalls ?? 0) + (asked.get(`${reader}/${letter}`) ?? 0),
      }));
    return { name, tokens: isObject(weight) ? (numberField(weight, "tokens") ?? 0) : 0, readings };
  });
  const graders = folder.list("grades").map((file) => file.replace(/\.json$/, ""));
  return {
    name: folder.name,
    quiz,
    memories,
    graders: Object.fromEntries(graders.map((grader) => [grader, readGrades(folder, grader)])),
  };
}

/** Recalls that somebody made with `npm run lab -- reading --recall`, by who made them. */
function countAsked(folder: ReadingFolder): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of folder.readText(RECALLS_FILE).split("\n")) {
    const as = parseAs(line);
    if (as !== "") counts.set(as, (counts.get(as) ?? 0) + 1);
  }
  return counts;
}

function parseAs(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? textField(value, "as") : "";
  } catch {
    return "";
  }
}
