import { readSession } from "../../hosts/catalogue.ts";
import { type ListedCompaction, listCompactions } from "../../recorded/list-compactions.ts";
import { requireRecordedSession } from "./require-session.ts";

/** The compactions of a transcript that something came before, one after the other. */
export function* readCompactions(file: string): Generator<ListedCompaction> {
  const session = readSession(file);
  requireRecordedSession(file, session.tally, session.unfinishedBytes);
  yield* listCompactions(session);
}
