import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../files/private-files.ts";
import { locateOwnData } from "./own-data.ts";

type Environment = Readonly<Record<string, string | undefined>>;

function locate(environment: Environment): string {
  return path.join(locateOwnData(environment), "last-replay.json");
}

/** Keeps the answer of the newest replay of the person's own sessions for the page; it is ours to lose. */
export function keepLastReplay(environment: Environment, answer: string): void {
  const file = locate(environment);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writePrivateFile(file, answer);
  } catch {
    // A home that cannot be written costs the page this view, and nobody an answer.
  }
}

export function findLastReplay(environment: Environment): string | undefined {
  const file = locate(environment);
  return existsSync(file) ? file : undefined;
}
