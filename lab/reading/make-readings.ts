import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { Terminal } from "../../src/entry/cli/command.ts";
import { createProgress } from "../../src/entry/cli/print/progress.ts";
import type { TranscriptFile } from "../../src/hosts/host.ts";
import { type MadeMemory, makeReading, type NamedPlan } from "./make-reading.ts";
import { QUIZ_FILE } from "./plan-writing.ts";
import { readPast } from "./recorded-past.ts";

export interface MadeSession {
  readonly name: string;
  /** Why it was left out; empty where it was not. */
  readonly why: string;
  readonly memories: readonly MadeMemory[];
}

export interface Making {
  readonly plans: readonly NamedPlan[];
  readonly directory: string;
  /** A folder with quizzes that were written before, by the session's name. */
  readonly quizzes: string | undefined;
}

/** The sessions one by one, because each is held in memory whole; subagents' are no sessions of a person. */
export function makeReadings(
  files: readonly TranscriptFile[],
  { plans, directory, quizzes }: Making,
  terminal: Terminal,
): readonly MadeSession[] {
  mkdirSync(directory, { recursive: true });
  const progress = createProgress(terminal, "Making memories");
  const named = nameSessions(files.filter(({ isSubagent }) => !isSubagent));
  const made = named.map(({ name, file }, index): MadeSession => {
    const past = readPast(file.path, name);
    const session =
      "why" in past
        ? { name, why: past.why, memories: [] }
        : { name, why: "", memories: makeReading(past, plans, directory) };
    if (session.why === "" && quizzes !== undefined)
      copyQuiz(path.join(quizzes, `${name}.json`), path.join(directory, name));
    progress.advance(index + 1, named.length);
    return session;
  });
  progress.finish();
  return made;
}

/** Where there is one; a quiz that lies there already has been answered, perhaps. */
function copyQuiz(from: string, folder: string): void {
  const to = path.join(folder, QUIZ_FILE);
  if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
}

/** A folder's name: the project and the beginning of the session's name, whole where two begin alike. */
function nameSessions(files: readonly TranscriptFile[]) {
  const shorten = ({ path: file, project }: TranscriptFile, digits: number): string =>
    `${project}-${path.basename(file, ".jsonl").slice(0, digits)}`.replace(/[^\w.-]/g, "-");
  const often = new Map<string, number>();
  for (const file of files) often.set(shorten(file, 8), (often.get(shorten(file, 8)) ?? 0) + 1);
  return files
    .map((file) => ({ file, name: shorten(file, often.get(shorten(file, 8)) === 1 ? 8 : 60) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
