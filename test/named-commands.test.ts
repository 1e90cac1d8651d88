/** If red: a text names a command that does not exist. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, MOVED } from "../src/entry/cli/catalogue.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

/** What a person may read: every text of the program, of the plugins' own pages and of the documents, but for the story of changes. */
const files = [
  "README.md",
  "plugin/README.md",
  "plugin-classic/README.md",
  ...list("docs", /^(?!decisions).*\.md$/),
  ...list("src", /^(?!.*\.test\.).*\.tsx?$/),
];

function list(folder: string, name: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file))
    .map((file) => path.join(folder, file));
}

interface Named {
  readonly where: string;
  readonly name: string;
  readonly options: readonly string[];
}

/** `plimsoll COMMAND --option …` wherever it stands in a text, up to what cannot be a part of it. */
const NAMED = /(?<![\w/@."'-])plimsoll ([a-z][a-z-]+)((?: (?:--?[a-z][a-z0-9-]*|[\w./~|-]+(?= --)))*)/g;

const named: readonly Named[] = files.flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), "utf8").matchAll(NAMED)].map(([, name = "", rest = ""]) => ({
    where: file,
    name,
    options: [...rest.matchAll(/ --([a-z][a-z0-9-]*)/g)].map(([, option = ""]) => option),
  })),
);

/** Words that follow the program's name where no command is meant: `plimsoll keep` is a prompt. */
const PROSE = new Set(["again", "alone", "has", "in", "is", "keep", "lift"]);

describe("every command that a text names", () => {
  it("is one that there is, by the name it has now", () => {
    const known = new Set([...COMMANDS.map(({ name }) => name), "help", ...PROSE]);
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter(({ name }) => !known.has(name)).map(({ where, name }) => `${where}: plimsoll ${name}`)).toEqual(
      [],
    );
    expect(named.filter(({ name }) => MOVED.has(name))).toEqual([]);
  });

  it("takes the options that it is named with", () => {
    const wrong = named.flatMap(({ where, name, options }) => {
      const command = COMMANDS.find((candidate) => candidate.name === name);
      const taken = new Set(["help", ...(command?.options.map((option) => option.name) ?? [])]);
      return options.filter((option) => !taken.has(option)).map((option) => `${where}: plimsoll ${name} --${option}`);
    });
    expect(wrong).toEqual([]);
  });
});
