import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { decodeUtf8 } from "../../core/utf8.ts";
import { CliError, type Terminal } from "./command.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const STANDARD_INPUT = 0;

/** The text of a file, or of standard input for `-`. */
export function requireText(given: string, terminal: Terminal): string {
  const text = decodeUtf8(readFileSync(given === "-" ? STANDARD_INPUT : requireFile(given, terminal, MAX_BYTES)));
  if (text === undefined) throw new CliError(`${given} is not UTF-8 text`);
  return text;
}

export function requireFile(given: string, { directory }: Terminal, maxBytes: number = Number.MAX_VALUE): string {
  const file = path.resolve(directory, given);
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) throw new CliError(`there is no file ${given}`);
  if (!status.isFile()) throw new CliError(`${given} is not a regular file`);
  if (status.size > maxBytes) throw new CliError(`${given} is larger than ${maxBytes / 1024 / 1024} MB`);
  return file;
}
