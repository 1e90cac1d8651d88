import { keepProse } from "./classify-exception.ts";
import type { DensityMode } from "./density-state.ts";

const GAP = "[ \\t\\n]{1,4}";

/** Refusals come first: "stop caveman" holds "caveman", and the longer phrase has to win. */
const OFF = [
  `(?:stop|end|exit|quit|disable|no|no more|without)${GAP}(?:the${GAP})?caveman(?:${GAP}mode)?`,
  `/?caveman(?:${GAP}mode)?${GAP}off`,
  `normal${GAP}mode`,
  `(?:don['’]?t|do not|not)${GAP}be${GAP}(?:so${GAP})?brief`,
];
/** `the caveman parser` speaks of a thing, `caveman` alone asks for one: an article or a noun behind it makes it a thing. */
const ON = [
  "/caveman",
  `caveman${GAP}mode`,
  `(?<!\\b(?:the|this|that|our|my)${GAP})caveman(?!${GAP}(?:test|parser|code|file|module|function|class|feature|rule|text)s?\\b)`,
  `be${GAP}(?:more${GAP})?brief`,
  `less${GAP}tokens`,
];

/** No part of a path, a file's name or an identifier: `caveman.ts`, `src/caveman`, `be-brief`, `caveman()` ask for nothing. */
const REQUEST: RegExp = new RegExp(
  `(?<![\\w./\\\\-])(?:(${OFF.join("|")})|(?:${ON.join("|")}))(?![\\w/\\\\(-])(?!\\.\\w)`,
  "gi",
);

/** What a person's words ask for. Code and quotations ask for nothing; of several requests the last one counts. */
export function detectDensityRequest(prompt: string): DensityMode | undefined {
  let request: DensityMode | undefined;
  for (const match of keepProse(prompt).matchAll(REQUEST)) request = match[1] === undefined ? "caveman" : "normal";
  return request;
}
