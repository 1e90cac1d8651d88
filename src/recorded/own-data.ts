import { mkdirSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../files/private-files.ts";
import { locateHome } from "../hosts/catalogue.ts";
import type { Environment, TranscriptFile } from "../hosts/host.ts";
import { locateData, locateSpareHome } from "../policy/deeds/data-paths.ts";

/** Where indexes, sums and answers of the program are kept. */
export function locateOwnData(environment: Environment): string {
  return locateData(locateHome(environment));
}

/** The same, and where it was before the person began to use the client that it is kept with. */
export function listOwnData(environment: Environment): readonly string[] {
  return [...new Set([locateOwnData(environment), locateData(locateSpareHome(environment))])];
}

/** Whether it could be kept: such a file is ours to lose, and a home that cannot be written costs nobody an answer. */
export function keepOwnFile(file: string, text: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writePrivateFile(file, text);
    return true;
  } catch {
    return false;
  }
}

/** A subagent stands with the session that started it; where nothing is left but subagents' files, they are what there is. */
export function passOverSubagents<Item>(
  items: readonly Item[],
  fileOf: (item: Item) => Pick<TranscriptFile, "isSubagent">,
): readonly Item[] {
  const main = items.filter((item) => !fileOf(item).isSubagent);
  return main.length > 0 ? main : items;
}
