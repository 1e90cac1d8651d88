import { existsSync } from "node:fs";
import path from "node:path";
import { keepOwnFile, locateOwnData } from "./own-data.ts";

type Environment = Readonly<Record<string, string | undefined>>;

function locate(environment: Environment): string {
  return path.join(locateOwnData(environment), "last-replay.json");
}

/** Keeps the answer of the newest replay of the person's own sessions for the page. */
export function keepLastReplay(environment: Environment, answer: string): void {
  keepOwnFile(locate(environment), answer);
}

export function findLastReplay(environment: Environment): string | undefined {
  const file = locate(environment);
  return existsSync(file) ? file : undefined;
}
