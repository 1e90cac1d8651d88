import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../core/render-count.ts";
import { StoreError } from "../../files/private-files.ts";
import { type Hosts, readSession } from "../../hosts/catalogue.ts";
import type { RecordedSession } from "../../hosts/follow-transcript.ts";
import type { LineTally } from "../../hosts/transcript-entry.ts";
import { followHappened, type ReadHappened } from "../../recorded/follow-happened.ts";
import { CliError, EXIT_NOTHING_FOUND, type Invocation, type Options, type Terminal } from "./command.ts";

/** Refuses a file in which no line was understood, because any number from it would be wrong. */
export function requireRecordedSession(file: string, tally: LineTally, unfinishedBytes: number): void {
  if (tally.parsed > 0) return;
  if (tally.lines === 0 && unfinishedBytes === 0)
    throw new CliError(`${file} is empty: nothing has been recorded in it yet`);
  if (tally.lines === 0)
    throw new CliError(
      `${file} contains no complete line: it is not a session's .jsonl file, or its first line is still being written`,
    );
  if (tally.ignored > tally.unknown)
    throw new CliError(`${file} contains no message yet: the session has only just begun`, EXIT_NOTHING_FOUND);
  throw new CliError(
    `${file} is not a recorded session: none of its ${renderCount(tally.lines, "line")} could be understood (${tally.malformed} malformed)`,
  );
}

export function requireRecorded(
  file: string,
  hosts?: Hosts,
  read: (file: string, hosts?: Hosts) => RecordedSession = readSession,
): RecordedSession {
  const session = read(file, hosts);
  requireRecordedSession(file, session.tally, session.unfinishedBytes);
  return session;
}

export function renderSkipped({ malformed, unknown }: LineTally, unfinishedBytes: number): readonly string[] {
  return [
    ...(malformed > 0 ? [`${renderCount(malformed, "malformed line")} skipped`] : []),
    ...(unknown > 0 ? [`${renderCount(unknown, "line")} of a type that this version of Plimsoll does not know`] : []),
    ...(unfinishedBytes > 0 ? [`${renderCount(unfinishedBytes, "byte")} of an unfinished last line not counted`] : []),
  ];
}

export const PROJECT_OPTION: Options = {
  project: { value: "DIR", help: "the project's folder; by default the current one" },
};

/** The command's project folder with links resolved, because the client names it so. */
export function requireProject({ values }: Invocation, terminal: Terminal): string {
  return realpathSync(requireFolder(values.get("project"), terminal));
}

/** The current folder if none is given. */
export function requireFolder(given: string | undefined, { directory }: Terminal): string {
  const folder = path.resolve(directory, given ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CliError(`there is no folder ${given ?? folder}`);
}

/** A store's refusal is for the person to fix, so its sentence is shown to them. */
export function explainProblem<T>(store: () => T): T {
  try {
    return store();
  } catch (error) {
    throw error instanceof StoreError ? new CliError(error.message) : error;
  }
}

export function readHappened(file: string): ReadHappened {
  return followHappened(requireRecorded(file));
}
