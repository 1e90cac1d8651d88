import type { CacheMissCause } from "../../measure/cache-miss.ts";

/** Why cached text had to be written again, as a person says it. */
export const CAUSES: Readonly<Record<CacheMissCause, string>> = {
  idle: "A pause that outlived the prompt cache",
  modelSwitch: "Another model, which has a cache of its own",
  compaction: "The first request after a compaction",
  editedPrefix: "Something earlier in the conversation changed",
  unknown: "No reason is recorded",
};
