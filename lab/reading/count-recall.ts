import { mkdirSync } from "node:fs";
import path from "node:path";
import { appendPrivateFile } from "../../src/files/private-files.ts";
import type { ReadingFolder } from "./reading-folder.ts";

export interface CountedRecall {
  /** Who asked: a reader and the letter of the memory, such as `anna/K`. */
  readonly as: string;
  readonly handles: readonly string[];
  readonly isFound: boolean;
  readonly characters: number;
}

export const RECALLS_FILE = "recalls.jsonl";

/** One line a recall, however it was asked for. */
export function countRecall(folder: ReadingFolder, counted: CountedRecall): void {
  mkdirSync(folder.path, { recursive: true });
  appendPrivateFile(path.join(folder.path, RECALLS_FILE), `${JSON.stringify(counted)}\n`);
}
