import { fitRules, type RuleFile } from "./fit-rules.ts";

/** What is repeated with every prompt where a person has asked for that. */
export interface ReminderParts {
  readonly rules: readonly RuleFile[];
  /** The plan that is being worked on, from the project's folder; empty where there is none. */
  readonly plan: string;
}

export const EFFICIENCY_REMINDER = "Match effort to request complexity. No preambles.";

/** It is paid with every prompt and again in every later request, so it gets half of what the start of a session gives. */
const MAX_REPEATED_CHARACTERS = 2000;

export function renderReminder({ rules, plan }: ReminderParts): string {
  const fitted = fitRules(rules, { maxFileCharacters: 1000, maxTotalCharacters: MAX_REPEATED_CHARACTERS });
  return [EFFICIENCY_REMINDER, ...(plan === "" ? [] : [`Plan Context: ${plan}`]), fitted.text]
    .filter((part) => part !== "")
    .join("\n");
}
