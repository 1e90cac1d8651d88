import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { CliError, type Invocation, type Option, type Terminal } from "../command.ts";
import { renderSafely } from "../style.ts";

export const PROJECT_OPTION: Option = {
  name: "project",
  value: "DIR",
  help: "the project; without it the current folder",
};

/** The folder a command is about, by where it really lies: so the client names it. */
export function requireProject({ values }: Invocation, { directory }: Terminal): string {
  const given = values.get("project");
  const folder = path.resolve(directory, given ?? ".");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(`there is no folder ${renderSafely(given ?? folder)}`);
  return realpathSync(folder);
}
