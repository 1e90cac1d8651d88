import { PHASES, type Phase } from "../../session/phase.ts";

/** What the decision table leads from and to: the phases of the work, and two ways to leave it. */
export type Stage = Phase | "next-feature" | "pivot";

export const STAGES: readonly Stage[] = [...PHASES, "next-feature", "pivot"];

/** The numbers that the table prints beside three of them. */
const NUMBERED: Readonly<Record<string, Stage>> = { "4": "implementation", "5": "quality", "7": "commit" };

/** A stage by name, in any case, with a blank, hyphen or underscore between its words; or by its number. */
export function parseStage(text: string): Stage | undefined {
  const name = text.trim().toLowerCase().replace(/[\s_]/g, "-");
  return STAGES.find((stage) => stage === name) ?? (Object.hasOwn(NUMBERED, name) ? NUMBERED[name] : undefined);
}
