/** If red: a requirement of the seeds has no test, or names a command that is gone. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/entry/cli/catalogue.ts";
import { HOOKS } from "../../src/entry/hook/catalogue.ts";
import { parseSettings } from "../../src/policy/settings/settings.ts";
import { findShown } from "./find-shown.ts";
import { renderSeeds } from "./render-seeds.ts";
import type { Rows } from "./row.ts";
import { ROWS_000 } from "./rows/000.ts";
import { ROWS_000_DECISIONS } from "./rows/000-decisions.ts";
import { ROWS_001 } from "./rows/001.ts";
import { ROWS_002 } from "./rows/002.ts";
import { ROWS_003 } from "./rows/003.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const ROWS: Rows = { ...ROWS_000, ...ROWS_000_DECISIONS, ...ROWS_001, ...ROWS_002, ...ROWS_003 };
/** Seen in the client alone, or not shown yet. */
const LEFT = ["R203", "R206", "R208"];
const ALL = Array.from({ length: 208 }, (_, index) => `R${index + 1}`).filter((id) => !LEFT.includes(id));
const shown = findShown(ROOT);
const documented = new Set(
  readFileSync(path.join(ROOT, "docs/requirements.md"), "utf8")
    .match(/^\| (R\d+)/gm)
    ?.map((row) => row.slice(2)),
);

describe("the seeds' requirements", () => {
  it("have a row each, and are shown by a test at an entry point or in a document", () => {
    expect(ALL.filter((id) => ROWS[id] === undefined)).toEqual([]);
    const nowhere = ALL.filter((id) => id in ROWS).filter(
      (id) => !documented.has(id) && !(shown.get(id) ?? []).some(({ entryPoints }) => entryPoints.length > 0),
    );
    expect(nowhere).toEqual([]);
  });

  it("name only commands and options that there are", () => {
    const wrong = Object.entries(ROWS).flatMap(([id, { see }]) =>
      [...see.matchAll(/`plimsoll ([a-z-]+)([^`]*)`/g)].flatMap(([, name = "", rest = ""]) => {
        const command = COMMANDS.find((each) => each.name === name);
        if (!command) return [`${id}: there is no command ${name}`];
        const options = command.options.map((option) => option.name);
        return [...rest.matchAll(/--([a-z-]+)/g)]
          .filter(([, option = ""]) => !options.includes(option))
          .map(([, option = ""]) => `${id}: ${name} has no option --${option}`);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("name only events, settings and subpaths that there are", () => {
    const exported = Object.keys(JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).exports);
    const wrong = Object.entries(ROWS).flatMap(([id, { see, setting }]) => [
      ...[...see.matchAll(/\bevent ([A-Za-z]+)/g)].flatMap(([, event = ""]) =>
        event in HOOKS ? [] : [`${id}: no event ${event}`],
      ),
      ...[...see.matchAll(/ of `plimsoll(\/[a-z-]+)?`/g)].flatMap(([, sub = ""]) =>
        exported.includes(`.${sub}`) ? [] : [`${id}: no plimsoll${sub}`],
      ),
      ...(setting === undefined || isSetting(setting) ? [] : [`${id}: no setting ${setting}`]),
    ]);
    expect(wrong).toEqual([]);
  });

  it("name only what their subpath exports", async () => {
    const exported: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(path.join(ROOT, "package.json"), "utf8"),
    ).exports;
    const wrong: string[] = [];
    for (const [id, { see }] of Object.entries(ROWS))
      for (const [, names = "", sub = ""] of see.matchAll(/`([\w, ]+)` of `plimsoll(\/[a-z-]+)?`/g)) {
        const built = exported[`.${sub}`] ?? "";
        const source = path.join(ROOT, built.replace("./dist/", "src/").replace(/\.js$/, ".ts"));
        const found: object = await import(source);
        wrong.push(
          ...names.split(", ").flatMap((name) => (name in found ? [] : [`${id}: no ${name} in plimsoll${sub}`])),
        );
      }
    expect(wrong).toEqual([]);
  });

  it("are all in docs/seeds.md, as their tests have it", async () => {
    await expect(renderSeeds(ROWS, shown)).toMatchFileSnapshot(path.join(ROOT, "docs/seeds.md"));
  });
});

/** A name that is none is named in a warning. */
function isSetting(name: string): boolean {
  return !parseSettings([{ [name]: "no such value" }]).warnings.some((warning) => warning.includes("unknown setting"));
}
