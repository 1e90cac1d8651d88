import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CliError } from "../../src/entry/cli/command.ts";

/** What a worker must not see of its folder; kept outside of it. */
export interface WorkerKey {
  readonly id: string;
  readonly task: string;
  readonly arm: string;
  /** The worker's folder. */
  readonly folder: string;
  /** Where the session of part 1 left its files. */
  readonly home: string;
  readonly repository: string;
  readonly sessionId: string;
  readonly transcript: string;
  /** Plimsoll's program, which answers recalls. */
  readonly program: string;
  /** What was read back, a line each. */
  readonly counts: string;
  readonly contextCharacters: number;
  readonly version: 1;
}

export function readKey(file: string): WorkerKey {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The keys of every worker's folder that was prepared there. */
export function listKeys(out: string): readonly WorkerKey[] {
  try {
    const folder = path.join(out, "key");
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return names.map((name) => readKey(path.join(folder, name)));
  } catch {
    throw new CliError(`${out} holds nothing that was prepared: npm run lab -- solved prepare --out ${out}`);
  }
}
