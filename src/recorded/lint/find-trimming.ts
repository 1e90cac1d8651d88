import { type Finding, inFile } from "./finding.ts";

const CODE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rb|rs|java|kt|php|cs)$/;
const TEST_FILE = /(?:^|\/)(?:tests?|__tests__|fixtures|examples?)\/|[._-](?:test|spec)\./;
/** Code that talks to a model: others may cut what they call messages as they like. */
const TALKS_TO_MODEL =
  /\banthropic\b|\bopenai\b|messages\.create|chat\.completions|"role"\s*:|role:\s*["']assistant["']/i;
const HISTORY = String.raw`\w*(?:[mM]essages|[hH]istory|[cC]onversation|[tT]urns)`;
const COUNT = String.raw`(?:\d+|[A-Z][A-Z0-9_]{2,}|(?:max|keep|last)\w*)`;
const TRIMMING = new RegExp(
  [
    // messages.slice(-20), history[-MAX_TURNS:], messages.splice(0, 2), messages.shift()
    String.raw`\b${HISTORY}\.slice\(\s*-\s*${COUNT}\s*\)`,
    String.raw`\b${HISTORY}\[\s*-\s*${COUNT}\s*:\s*\]`,
    String.raw`\b${HISTORY}\.splice\(\s*0\s*,\s*${COUNT}`,
    String.raw`\b${HISTORY}\.(?:shift\(\)|pop\(0\))`,
  ].join("|"),
);

const MOST_FINDINGS = 20;

/** Code that drops the oldest messages by their number, whatever they hold. */
export function findTrimming(files: readonly { readonly path: string; readonly text: string }[]): readonly Finding[] {
  return files
    .filter(({ path, text }) => CODE_FILE.test(path) && !TEST_FILE.test(path) && TALKS_TO_MODEL.test(text))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index): readonly Finding[] => {
        const found = /^\s*(?:\/\/|#|\*)/.test(line) ? null : TRIMMING.exec(line);
        if (!found) return [];
        return [
          {
            rule: "fixed-size-trimming",
            severity: "warning",
            evidence: inFile(path, index + 1),
            what: `${found[0]} drops messages by their number`,
            fix: "fold and clear by what is stale, and summarise what is left, with the facts extracted",
          },
        ];
      }),
    )
    .slice(0, MOST_FINDINGS);
}
