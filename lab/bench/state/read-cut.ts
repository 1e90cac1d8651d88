import { readFileSync } from "node:fs";
import path from "node:path";
import { claudeCode } from "../../../src/hosts/claude-code/host.ts";
import { createTranscriptReader } from "../../../src/hosts/claude-code/transcript-reader.ts";
import { createSession } from "../../../src/session/session.ts";
import type { Happened } from "../../../src/survive/record/continuation.ts";
import { createTrail } from "../../../src/survive/record/trail.ts";
import { CORPUS } from "../corpus.ts";

/** A recorded session as it stood after one of its lines. */
export interface Cut {
  /** The number by which labels name it. */
  readonly k: number;
  /** Below the folder of the recordings. */
  readonly file: string;
  /** The last line that had been written, from 0. */
  readonly cutLine: number;
  /** Rules are made on one half of the repositories; the other is opened only to judge them. */
  readonly half: number;
}

/** What had happened by then, read as every door reads it. */
export function readCut({ file, cutLine }: Pick<Cut, "file" | "cutLine">): Happened {
  const lines = readFileSync(path.join(CORPUS, file), "utf8").split("\n");
  const reader = createTranscriptReader();
  const entries = lines.slice(0, cutLine + 1).flatMap((line) => reader.read(line) ?? []);
  const session = createSession(claudeCode.vocabulary);
  const trail = createTrail(claudeCode.vocabulary);
  for (const { events } of claudeCode.selectConversation(entries))
    for (const event of events) {
      session.feed(event);
      trail.feed(event);
    }
  return { state: session.state(), trail: trail.state() };
}
