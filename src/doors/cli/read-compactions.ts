import { readSession } from "../../hosts/catalogue.ts";
import { listCompactions, type RecordedCompaction } from "../../recorded/list-compactions.ts";
import { requireSession } from "./require-session.ts";

/** The compactions of a transcript that something came before, one after the other. */
export function* readCompactions(file: string): Generator<RecordedCompaction> {
  const session = readSession(file);
  requireSession(file, session.tally, session.unfinishedBytes);
  yield* listCompactions(session);
}
