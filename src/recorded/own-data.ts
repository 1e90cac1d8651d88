import { mkdirSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../files/private-files.ts";
import { locateHome } from "../hosts/catalogue.ts";
import type { Environment, TranscriptFile } from "../hosts/host.ts";
import { locateData, locateSpareHome } from "../policy/actions/data-paths.ts";

/** Where the program stores its indexes, sums and answers. */
export function locateOwnData(environment: Environment): string {
  return locateData(locateHome(environment));
}

/** The same, and where it was before the user began to use that client. */
export function listOwnData(environment: Environment): readonly string[] {
  return [...new Set([locateOwnData(environment), locateData(locateSpareHome(environment))])];
}

/** Whether the file could be written. It is only a cache, so an unwritable home must not cost an answer. */
export function keepOwnFile(file: string, text: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writePrivateFile(file, text);
    return true;
  } catch {
    return false;
  }
}

/** Leaves subagents out, because they belong to the session that started them. If only subagents' files are left, they are returned. */
export function passOverSubagents<Item>(
  items: readonly Item[],
  fileOf: (item: Item) => Pick<TranscriptFile, "isSubagent">,
): readonly Item[] {
  const main = items.filter((item) => !fileOf(item).isSubagent);
  return main.length > 0 ? main : items;
}
