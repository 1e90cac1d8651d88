import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../files/private-files.ts";
import { HOSTS, locateHome } from "../hosts/catalogue.ts";
import type { Environment, TranscriptFile } from "../hosts/host.ts";
import { locateData } from "../policy/deeds/data-paths.ts";

/** Where indexes, sums and answers of the program are kept: below the first client's home where that client is used, else where programs keep their data. */
export function locateOwnData(environment: Environment): string {
  const home = locateHome(environment);
  const isUsed = environment[HOSTS[0].homeVariable.name] !== undefined || existsSync(home);
  const data = environment.XDG_DATA_HOME || (environment.HOME && path.join(environment.HOME, ".local", "share"));
  return isUsed || !data ? locateData(home) : path.join(data, "plimsoll");
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
