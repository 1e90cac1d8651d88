import { parseLog } from "../survive/project-state/entry-log.ts";
import { locateTrust, readAgreedFile } from "./node-agreement.ts";

const MAX_BYTES = 1_000_000;

export function countDecisions(project: string, dataFolder: string): number {
  const found = readAgreedFile(locateTrust(project, dataFolder), ".plimsoll/decisions.md", MAX_BYTES);
  return found?.text === undefined ? 0 : parseLog(found.text).entries.length;
}
