import { parseLog } from "../survive/project-state/entry-log.ts";
import { locateTrust, readAgreedFile } from "./node-agreement.ts";

const MAX_BYTES = 1_000_000;

/** How many decisions a project's state has on disk; 0 if the file cannot be read whole. */
export function countDecisions(project: string, dataFolder: string): number {
  const found = readAgreedFile(locateTrust(project, dataFolder), ".plimsoll/decisions.md", MAX_BYTES);
  return found?.text === undefined ? 0 : parseLog(found.text).entries.length;
}
