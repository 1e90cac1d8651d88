import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeUtf8 } from "../../core/utf8.ts";
import { CliError, type Terminal } from "./command.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const STANDARD_INPUT = 0;

/** The text of a file, or of standard input for `-`. */
export function requireText(given: string, terminal: Terminal): string {
  const bytes = given === "-" ? readFileSync(STANDARD_INPUT) : readGiven(given, terminal);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new CliError(`${given} is not UTF-8 text`);
  return text;
}

function readGiven(given: string, terminal: Terminal): Uint8Array {
  const file = path.resolve(terminal.directory, given);
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) throw new CliError(`there is no file ${given}`);
  if (!status.isFile()) throw new CliError(`${given} is not a regular file`);
  if (status.size > MAX_BYTES) throw new CliError(`${given} is larger than ${MAX_BYTES / 1024 / 1024} MB`);
  return readFileSync(file);
}
