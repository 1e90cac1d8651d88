import type { LedgerEntry } from "./ledger-text.ts";

/** Stands before what is to be done: a plan, an issue, a specification. */
export const TASK = "TASK: ";
const MARKED = new RegExp(`^\\S+ (?:(?:[A-Za-z]:)?[^:\\n]+: )?${TASK}| => ${TASK}`);
/** What is said in fewer words takes nobody's place. */
const LEAST_CHARACTERS = 1_600;

/** Where the last line stands that says at length what is to be done; -1 where none does. */
export function findTask(entries: readonly LedgerEntry[]): number {
  return entries.findLastIndex(
    (entry) => entry.kind === "call" && entry.text.length > LEAST_CHARACTERS && isTask(entry.text),
  );
}

export function isTask(text: string): boolean {
  return MARKED.test(text);
}
