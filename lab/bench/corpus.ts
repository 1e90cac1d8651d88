import { accessSync, constants, readdirSync } from "node:fs";
import path from "node:path";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import type { Recording } from "../../src/measure/recording.ts";

/** Recorded sessions next to the project; benchmarks and corpus tests read them in place and say so where they are absent. */
export const CORPUS: string = path.resolve(import.meta.dirname, "../../../shared/transcripts");

export const hasCorpus: boolean = isReadable(CORPUS);
if (!hasCorpus) console.log(`No recorded sessions to read in ${CORPUS}: what needs them is skipped.`);

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function listCorpus(): readonly string[] {
  if (!hasCorpus) return [];
  return readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => path.join(CORPUS, name));
}

export async function* readCorpus(): AsyncGenerator<{
  readonly file: string;
  readonly repository: string;
  readonly recording: Recording;
}> {
  for (const file of listCorpus()) {
    yield { file, repository: path.basename(path.dirname(file)), recording: readRecording(file).recording };
  }
}
