import type { CacheMissCause } from "../../measure/cache-miss.ts";

const WORDS: Readonly<Record<CacheMissCause, string>> = {
  idle: "a pause outlived the cache",
  modelSwitch: "another model",
  compaction: "a compaction",
  editedPrefix: "something earlier changed",
  unknown: "unknown",
};

/** Why something was written again that had been cached, as a person says it. */
export function nameCause(cause: CacheMissCause): string {
  return WORDS[cause];
}
