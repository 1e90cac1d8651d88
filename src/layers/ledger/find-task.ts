import { clipText } from "../../core/clip-text.ts";
import { type LedgerEntry, renderCall, renderEntry, splitLasting } from "./ledger-text.ts";

/** A call's line of more than so many briefs tells a plan or a task: orders and reports have no room for as much. */
const LONG_BRIEFS = 2;

/** Where the last line stands that says at length what is to be done; -1 where none does. */
export function findTask(entries: readonly LedgerEntry[], briefCharacters: number): number {
  return entries.findLastIndex((entry) => entry.kind === "call" && isLong(entry.text, briefCharacters));
}

/** A plan or a task that another has replaced: its beginning, and what was said to it. Any other call as it is. */
export function shortenTask(entry: LedgerEntry & { readonly kind: "call" }, briefCharacters: number): string {
  if (!isLong(entry.text, briefCharacters)) return renderEntry(entry);
  const parts = splitLasting(entry.text);
  if (parts === undefined) return renderEntry({ ...entry, text: clipText(entry.text, briefCharacters) });
  const [call, text] = [clipText(parts.call, briefCharacters), clipText(parts.outcome, briefCharacters)];
  return renderEntry({ ...entry, text: renderCall(call, { failed: false, text, isLasting: true }) });
}

function isLong(text: string, briefCharacters: number): boolean {
  return text.length > LONG_BRIEFS * briefCharacters;
}
