import { readFileSync } from "node:fs";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { findLastReplay } from "../../recorded/last-replay.ts";
import { parseAnswer, type ReplayAnswer } from "../../replay/parse-answer.ts";

/** The replay is only a cache, so anything unreadable counts as none. */
export function readLastReplay(environment: IndexSurroundings["environment"]): ReplayAnswer | undefined {
  const last = findLastReplay(environment);
  try {
    return last === undefined ? undefined : parseAnswer(readFileSync(last, "utf8"));
  } catch {
    return undefined;
  }
}
