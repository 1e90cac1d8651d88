import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { readPlainText, writePrivateFile } from "../../../files/private-files.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";

/** The module reads this file: a client that was not started from a shell may not find the Node of a version manager on its PATH. */
const locateNote = (configFolder: string): string => path.join(locateData(configFolder), "node");

const MAX_BYTES = 4096;

/** The path of the Node that the engine is to run on; `undefined` if the client is to look on its PATH. */
export function readEngineNode(configFolder: string): string | undefined {
  return readPlainText(locateNote(configFolder), MAX_BYTES)?.trim() || undefined;
}

export function writeEngineNode(configFolder: string): void {
  if (readEngineNode(configFolder) === process.execPath) return;
  mkdirSync(locateData(configFolder), { recursive: true, mode: 0o700 });
  writePrivateFile(locateNote(configFolder), `${process.execPath}\n`);
}

export function forgetEngineNode(configFolder: string): void {
  rmSync(locateNote(configFolder), { force: true });
}
