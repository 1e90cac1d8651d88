import { existsSync } from "node:fs";

/** The file on disk that holds a transcript: a session in a database is called by the file, a `#` and its id. */
export function findHoldingFile(transcript: string): string {
  return existsSync(transcript) ? transcript : transcript.replace(/#[^#/\\]*$/, "");
}
