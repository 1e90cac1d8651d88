import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import { isObject } from "../../src/core/json.ts";
import { CliError } from "../../src/entry/cli/command.ts";
import { writePrivateFile } from "../../src/files/private-files.ts";

/** One session of a reading, a folder with everything that readers and graders need and say. */
export interface ReadingFolder {
  readonly name: string;
  readonly path: string;
  has(file: string): boolean;
  /** Empty where there is no such file. */
  readText(file: string): string;
  /** `undefined` where there is no such file; throws, naming it, where it is no JSON object. */
  readJson(file: string): JsonObject | undefined;
  writeText(file: string, text: string): void;
  writeJson(file: string, value: unknown): void;
  /** Names of what lies in a folder of it, in their order. */
  list(folder: string): readonly string[];
}

export const SESSION_FILE = "session.json";

export function openReadingFolder(folder: string): ReadingFolder {
  const place = (file: string): string => path.join(folder, file);
  const readText = (file: string): string => (existsSync(place(file)) ? readFileSync(place(file), "utf8") : "");
  const writeText = (file: string, text: string): void => {
    mkdirSync(path.dirname(place(file)), { recursive: true, mode: 0o700 });
    writePrivateFile(place(file), text);
  };
  return {
    name: path.basename(folder),
    path: folder,
    has: (file) => existsSync(place(file)),
    readText,
    readJson(file) {
      return existsSync(place(file)) ? parseObject(readText(file), place(file)) : undefined;
    },
    writeText,
    writeJson: (file, value) => writeText(file, `${JSON.stringify(value, undefined, 2)}\n`),
    list: (name) => (existsSync(place(name)) ? readdirSync(place(name)).sort() : []),
  };
}

function parseObject(text: string, file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below: what is no JSON is no object, either.
  }
  throw new CliError(`${file} is not a JSON object: mend it or move it away`);
}

/** The sessions of the given folders: each is one, or holds some. */
export function findReadings(given: readonly string[], directory: string): readonly ReadingFolder[] {
  if (given.length === 0) throw new CliError("name the folder that npm run lab -- reading --make has written");
  const found = given.flatMap((name) => {
    const folder = path.resolve(directory, name);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new CliError(`there is no folder ${name}`);
    const folders = existsSync(path.join(folder, SESSION_FILE))
      ? [folder]
      : readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => path.join(folder, entry.name))
          .sort();
    return folders.filter((each) => existsSync(path.join(each, SESSION_FILE)));
  });
  if (found.length === 0)
    throw CliError.foundNothing(
      `no session in ${given.join(", ")}: npm run lab -- reading SESSION.jsonl --make DIR makes some`,
    );
  return [...new Set(found)].map(openReadingFolder);
}
