import { rmSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../core/json.ts";
import { locateColdHome, STATE_FOLDER, SUMMARY_FOLDER } from "../survive/cold-tasks/cold-paths.ts";
import type { FoundTaskFile } from "../survive/cold-tasks/plan-cold-maintenance.ts";
import { listEntries } from "./list-files.ts";
import { readPlainFile } from "./private-files.ts";

const MAX_BYTES = 1 << 20;

/** The files in the two folders of cold tasks, of all sessions; links and files that are no text come without content. */
export function findColdFiles(configFolder: string, home: string | undefined): readonly FoundTaskFile[] {
  const root = locateColdHome(configFolder, home);
  return [SUMMARY_FOLDER, STATE_FOLDER].flatMap((name) => {
    const entries = listEntries(path.join(root, name)).filter((entry) => !entry.isDirectory());
    return entries.map((entry) => describe(path.join(root, name, entry.name)));
  });
}

export function removeColdFiles(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}

function describe(file: string): FoundTaskFile {
  const { text = "" } = readPlainFile(file, MAX_BYTES) ?? {};
  const content = parseJson(text);
  return { path: file, bytes: Buffer.byteLength(text), ...(content === undefined ? {} : { content }) };
}
