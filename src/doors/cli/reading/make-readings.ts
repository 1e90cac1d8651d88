import { mkdirSync } from "node:fs";
import path from "node:path";
import type { TranscriptFile } from "../../../hosts/host.ts";
import type { Terminal } from "../command.ts";
import { createProgress } from "../progress.ts";
import { type MadeMemory, makeReading, type NamedPlan } from "./make-reading.ts";
import { readPast } from "./recorded-past.ts";

export interface MadeSession {
  readonly name: string;
  /** Why it was left out; empty where it was not. */
  readonly why: string;
  readonly memories: readonly MadeMemory[];
}

/** The sessions one by one, because each is held in memory whole; subagents' are no sessions of a person. */
export function makeReadings(
  files: readonly TranscriptFile[],
  { plans, directory }: { readonly plans: readonly NamedPlan[]; readonly directory: string },
  terminal: Terminal,
): readonly MadeSession[] {
  mkdirSync(directory, { recursive: true });
  const progress = createProgress(terminal, "Making memories");
  const named = nameSessions(files.filter(({ isSubagent }) => !isSubagent));
  const made = named.map(({ name, file }, index): MadeSession => {
    const past = readPast(file.path, name);
    const session =
      "why" in past
        ? { name, why: past.why, memories: [] }
        : { name, why: "", memories: makeReading(past, plans, directory) };
    progress.advance(index + 1, named.length);
    return session;
  });
  progress.finish();
  return made;
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
