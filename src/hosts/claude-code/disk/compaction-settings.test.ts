/** If red: the place where the client compacts is taken from the wrong setting, and the load line is wrong. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readCompactionSettings } from "./compaction-settings.ts";

const { name } = createTemporaryFolder();

interface Written {
  readonly local?: string;
  readonly project?: string;
  readonly own?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Reads settings that lie where the client looks for them. */
function read({ local, project, own, environment = {} }: Written) {
  const folders = { project: name(""), clientHome: name("") };
  mkdirSync(path.join(folders.project, ".claude"), { recursive: true });
  mkdirSync(folders.clientHome);
  if (local !== undefined) writeFileSync(path.join(folders.project, ".claude", "settings.local.json"), local);
  if (project !== undefined) writeFileSync(path.join(folders.project, ".claude", "settings.json"), project);
  if (own !== undefined) writeFileSync(path.join(folders.clientHome, "settings.json"), own);
  return readCompactionSettings(environment, folders);
}

describe("readCompactionSettings", () => {
  it("knows of nothing where nothing is set", () => {
    expect(read({})).toEqual({});
  });

  it("asks the variables first, then the project's local settings, the project's, and the person's own", () => {
    const local = '{"autoCompactWindow":1000}';
    const project = '{"autoCompactWindow":2000}';
    const own = '{"autoCompactWindow":3000}';
    const environment = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "4000" };
    expect(read({ local, project, own, environment })).toEqual({ windowTokens: 4000 });
    expect(read({ local, project, own })).toEqual({ windowTokens: 1000 });
    expect(read({ project, own })).toEqual({ windowTokens: 2000 });
    expect(read({ own })).toEqual({ windowTokens: 3000 });
  });

  it.each([
    ["150000", 150_000],
    [" 150k ", 150_000],
    ["0.5M", 500_000],
  ])("reads the variable %j as the client does", (value, windowTokens) => {
    expect(read({ environment: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: value } })).toEqual({ windowTokens });
  });

  it("reads the share at which to compact from its variable", () => {
    expect(read({ environment: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "62.5" } })).toEqual({ percent: 62.5 });
  });

  it("passes over a share of more than the whole, as the client does", () => {
    expect(read({ environment: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "101" } })).toEqual({});
  });

  it.each(["", "many", "-5", "0", "Infinity", "NaN"])("passes over the variable %j", (value) => {
    const environment = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: value, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: value };
    expect(read({ environment, own: '{"autoCompactWindow":3000}' })).toEqual({ windowTokens: 3000 });
  });

  it.each([
    "",
    "{broken",
    "null",
    "[]",
    "{}",
    '{"autoCompactWindow":"1000"}',
    '{"autoCompactWindow":0}',
    '{"autoCompactWindow":-1}',
  ])("passes over settings that say %j", (local) => {
    expect(read({ local, own: '{"autoCompactWindow":3000}' })).toEqual({ windowTokens: 3000 });
  });
});
