/** If red: what was done in a session is not written down, or the journal fills the disk. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { ActionDetail, OwnAction } from "../policy/actions/own-action.ts";
import { nameFallback, writeJournal } from "./write-journal.ts";

const temporary = createTemporaryFolder();
const RAN: ActionDetail = { kind: "ran", ms: 3 };
let shared = "";

const write = (folder: string | undefined, door: OwnAction["door"] = "hook", actions = [RAN]): void =>
  writeJournal(folder, { door, event: "Stop", client: "2", actions }, 7);
const own = (): string => path.join(shared, `plimsoll-${process.getuid?.() ?? 0}`);

describe("the journal of a session", () => {
  beforeEach(() => {
    shared = temporary.name("-shared");
    mkdirSync(shared);
    vi.stubEnv("TMPDIR", shared);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("has a line for each thing done, in the file of its entry point", () => {
    const folder = temporary.name("-session");
    mkdirSync(folder);
    write(folder, "hook", [RAN, RAN]);
    write(folder, "module");
    write(folder, "hook", []);
    expect(readdirSync(folder).sort()).toEqual(["deeds-hook.jsonl", "deeds-module.jsonl"]);
    const lines = readFileSync(path.join(folder, "deeds-hook.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [RAN, RAN].map((ran) => ({ atMs: 7, door: "hook", event: "Stop", client: "2", ...ran })),
    );
    expect(readdirSync(shared)).toEqual([]);
  });

  it.each([
    ["there is no folder", () => undefined],
    ["its folder is gone", () => temporary.name("-gone")],
  ])("is in the temporary folder, for nobody else, if %s", (_why, locate) => {
    write(locate());
    write(locate());
    const file = path.join(own(), nameFallback(process.env.HOME));
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
    expect([own(), file].map((name) => statSync(name).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it("is another file there for another home, so that none is told of another's trouble", () => {
    write(undefined);
    vi.stubEnv("HOME", "/home/another");
    write(undefined);
    expect(readdirSync(own()).filter((name) => name === nameFallback("/home/another"))).toHaveLength(1);
    expect(readdirSync(own())).toHaveLength(2);
  });

  it("grows there to a megabyte and no further", () => {
    write(undefined);
    const file = path.join(own(), nameFallback(process.env.HOME));
    writeFileSync(file, "x".repeat((1 << 20) - 1));
    write(undefined);
    const full = statSync(file).size;
    expect(full).toBeGreaterThan(1 << 20);
    write(undefined);
    expect(statSync(file).size).toBe(full);
  });

  it("follows no link that somebody else laid there, and says nothing of it", () => {
    const elsewhere = temporary.name("-elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, own());
    write(undefined);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
