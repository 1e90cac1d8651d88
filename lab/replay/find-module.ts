import { statSync } from "node:fs";
import path from "node:path";
import { CliError, type Terminal } from "../../src/entry/cli/command.ts";

/** A module with further policies, as a person names it. */
export function findModule(given: string | undefined, terminal: Terminal): string | undefined {
  if (given === undefined) return undefined;
  const file = path.resolve(terminal.directory, given);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new CliError(`there is no module ${given}: pass a .mjs file that exports policies`);
  return file;
}
