import path from "node:path";
import type { TranscriptFile } from "../../../hosts/host.ts";
import type { LeftOut } from "../../../replay/session.ts";
import type { Terminal } from "../command.ts";
import { createProgress } from "../progress.ts";
import { type RecordedPast, readPast } from "./recorded-past.ts";

/** The sessions one by one, because each is held in memory whole; subagents' are no sessions of a person. */
export function* listRecordedPasts(
  files: readonly TranscriptFile[],
  terminal: Terminal,
): Generator<RecordedPast | LeftOut> {
  const progress = createProgress(terminal, "Making memories");
  const named = nameSessions(files.filter(({ isSubagent }) => !isSubagent));
  for (const [index, { name, file }] of named.entries()) {
    yield readPast(file.path, name);
    progress.advance(index + 1, named.length);
  }
  progress.finish();
}

/** A folder's name: the project and the beginning of the session's name, whole where two begin alike. */
function nameSessions(files: readonly TranscriptFile[]) {
  const shorten = ({ path: file, project }: TranscriptFile, digits: number): string =>
    `${project}-${path.basename(file, ".jsonl").slice(0, digits)}`.replace(/[^\w.-]/g, "-");
  const often = new Map<string, number>();
  for (const file of files) often.set(shorten(file, 8), (often.get(shorten(file, 8)) ?? 0) + 1);
  return files
    .map((file) => ({ file, name: shorten(file, often.get(shorten(file, 8)) === 1 ? 8 : 60) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
