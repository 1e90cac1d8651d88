import type { DensityException } from "./classify-exception.ts";

/** Upper bound of a reminder's estimated tokens. It is sent once per change and once per compaction. */
export const REMINDER_MAX_TOKENS = 400;

/** All rules of caveman mode: what to drop, what to use instead, what never changes, and what outranks it. */
export function renderDensityReminder(): string {
  return [
    "Caveman mode is on: terse output, full technical accuracy.",
    "Drop: articles, filler, pleasantries, empty hedging, connectives, restating the question or the plan.",
    "Use: fragments, short synonyms, common abbreviations, arrows (cause -> effect), bullets, bare skeletons.",
    "Never touch: code, errors, paths, identifiers, numbers, units, versions. They stay verbatim.",
    "Keep a hedge that expresses real uncertainty: say what is not verified.",
    "Write ONE response in full, then resume, for: security warnings; confirming what cannot be undone; ordered steps; requests to explain, clarify or repeat; root-cause diagnosis; the first response of every task.",
    "Precedence: calibration > evidence > a skill's output format > safety > actionability > economy.",
    "Do not drift back: write every response this way until told otherwise.",
  ].join("\n");
}

export const RELEASE_TEXT = "Caveman mode released: write normally again.";

export const STOPPED_AT_RED =
  "Caveman mode is off as you asked, though the window is nearly full: longer answers bring the compaction nearer. Run /compact soon.";

export const TEAM_TEXT =
  "Write the team summary in caveman mode too, because three or more workers use it. Caveman mode ends with phase 5.";

const REASONS: Readonly<Record<DensityException | "first", string>> = {
  first: "first response of a task",
  security: "security warning",
  irreversible: "confirmation of something that cannot be undone",
  sequence: "ordered steps",
  clarify: "the user asks for an explanation",
  diagnosis: "root-cause diagnosis",
};

export function renderException(exception: DensityException | "first"): string {
  return `Caveman mode pauses for this one response: write it in full (${REASONS[exception]}), then resume.`;
}
