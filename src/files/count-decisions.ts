import path from "node:path";
import { parseLog } from "../survive/project-state/entry-log.ts";
import { readPlainFile } from "./private-files.ts";

const MAX_BYTES = 1_000_000;

/** How many decisions a project's state holds on disk; none where the file cannot be read whole. */
export function countDecisions(project: string): number {
  const found = readPlainFile(path.join(project, ".plimsoll", "decisions.md"), MAX_BYTES);
  return found?.text === undefined ? 0 : parseLog(found.text).entries.length;
}
