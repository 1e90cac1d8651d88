import type { JsonObject } from "../../../src/core/json.ts";

/** A recall as a reader wrote it, and as the tool takes it. */
export interface AskedRecall {
  readonly asked: string;
  readonly input: JsonObject;
}

const MAX_RECALLS = 50;

/** Every `RECALL: handle ... lines=10-40 page=2 pattern=WORDS` of an answer. */
export function parseRecalls(text: string): readonly AskedRecall[] {
  const lines = [...text.matchAll(/^[\s>*`-]{0,8}RECALL:(.+)$/gm)].slice(0, MAX_RECALLS);
  return lines.map(([, words = ""]) => {
    const asked = words.replace(/[`*]/g, "").trim();
    const [before = "", pattern] = asked.split(/\bpattern=/, 2);
    const [, range] = /\blines=(\d+(?:-\d+)?)/.exec(before) ?? [];
    const [, page] = /\bpage=(\d+)/.exec(before) ?? [];
    const handle = before.replace(/\b(?:lines|page)=\S+/g, "").trim();
    return {
      asked,
      input: {
        handle,
        ...(range === undefined ? {} : { lines: range }),
        ...(page === undefined ? {} : { page }),
        ...(pattern === undefined ? {} : { pattern: pattern.trim().replace(/^"(.*)"$/, "$1") }),
      },
    };
  });
}
