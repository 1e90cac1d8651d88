import type { Level } from "../../measure/level.ts";

/** Four things one can do about a window, and the fifth: to leave it. */
export type Operation = "write" | "select" | "compress" | "isolate" | "fresh-start";

export interface OperationFacts {
  readonly level: Level;
  readonly compactions: number;
  /** Decisions made and not yet in a file. */
  readonly unsavedDecisions: number;
  readonly hasLargeFiles: boolean;
  /** What comes next has nothing to do with what fills the window. */
  readonly isNextUnrelated: boolean;
}

export interface OperationAdvice {
  readonly operation: Operation;
  readonly text: string;
}

/** From here on each summary is mostly a summary of summaries. */
const FRESH_START_AFTER = 3;

/** What helps now, the most urgent first; nothing while the window is light and its content still of use. */
export function recommendOperations(facts: OperationFacts): readonly OperationAdvice[] {
  const { level, compactions, unsavedDecisions, hasLargeFiles, isNextUnrelated } = facts;
  const isHeavy = level === "ORANGE" || level === "RED";
  const isWorn = isHeavy && compactions >= FRESH_START_AFTER;
  const advice: OperationAdvice[] = [];
  const say = (operation: Operation, text: string): number => advice.push({ operation, text });
  if (unsavedDecisions > 0 && (level !== "GREEN" || isNextUnrelated))
    say("write", `Write: put ${unsavedDecisions} unsaved decisions into .plimsoll/ before they can be lost.`);
  if (isNextUnrelated || isWorn) say("fresh-start", renderFreshStart(isNextUnrelated, compactions));
  if (isHeavy) say("compress", "Compress: fold old tool results, then /compact at the next boundary.");
  if (level !== "GREEN")
    say("select", "Select: load only what the task needs; Grep before Read, a range before a file.");
  if (level !== "GREEN" && hasLargeFiles)
    say("isolate", "Isolate: let a subagent read the large files and report back.");
  return advice;
}

function renderFreshStart(isNextUnrelated: boolean, compactions: number): string {
  const why = isNextUnrelated
    ? "what comes next needs nothing of what is in the window"
    : `this session was compacted ${compactions} times`;
  return `Fresh start: save the state and begin a new session; ${why}.`;
}
