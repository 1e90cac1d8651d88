import { sha256 } from "../../core/sha256.ts";
import type { RuleFile } from "./fit-rules.ts";

/** Rules that a repository brought wait until the person has agreed to what they say. */
export interface SplitRules {
  readonly rules: readonly RuleFile[];
  readonly waiting: readonly RuleFile[];
}

/** A line for each text that the person has agreed to: its hash, then its name for who reads the file. */
export function locateAgreed(dataFolder: string): string {
  return `${dataFolder}/agreed-rules.txt`;
}

export function parseAgreed(text: string): ReadonlySet<string> {
  return new Set(text.split("\n").flatMap((line) => /^([0-9a-f]{64})\b/.exec(line)?.[1] ?? []));
}

export function renderAgreed(rules: readonly RuleFile[]): string {
  return rules.map((rule) => `${hashRule(rule)} ${rule.name}\n`).join("");
}

/** By content: what is changed later has not been agreed to. */
export function splitRules(
  rules: readonly RuleFile[],
  tracked: ReadonlySet<string>,
  agreed: ReadonlySet<string>,
): SplitRules {
  const waits = (rule: RuleFile): boolean => tracked.has(rule.name) && !agreed.has(hashRule(rule));
  return { rules: rules.filter((rule) => !waits(rule)), waiting: rules.filter(waits) };
}

export function renderWaiting(waiting: readonly RuleFile[]): string {
  if (waiting.length === 0) return "";
  const names = waiting.map(({ name }) => name).join(", ");
  return `This repository brings rules that the model is not told until you agree (${names}): plimsoll rules shows them, plimsoll rules agree has them told.`;
}

function hashRule({ name, text }: RuleFile): string {
  return sha256(`${name}\n${text}`);
}
