import { beforeEach, describe, expect, it } from "vitest";
import { createFakeEngine, type FakeEngine } from "../../../test/support/fake-engine.ts";
import type { StateSavePlan } from "../../survive/project-state/plan-state-save.ts";
import { readMode, readRules, readStateFiles, writeStateFiles } from "./project-files.ts";

const ROOT = "/home/dev/demo";
let fake: FakeEngine;
beforeEach(() => {
  fake = createFakeEngine();
});

describe("a project's own files", () => {
  it("are read as far as they are there", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "one");
    fake.files.set(`${ROOT}/.plimsoll/progress.md`, "");
    fake.files.set(`${ROOT}/.plimsoll/other.md`, "no");
    expect(await readStateFiles(fake.engine, ROOT)).toEqual({
      texts: { "decisions.md": "one", "progress.md": "" },
      unreadable: new Set(),
    });
  });

  it("that are there and cannot be read whole are told from those that are not there", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "x".repeat(5 * 1024 * 1024));
    fake.links.add(`${ROOT}/.plimsoll/progress.md`);
    fake.files.set(`${ROOT}/.plimsoll/session-log.md`, "one");
    expect(await readStateFiles(fake.engine, ROOT)).toEqual({
      texts: { "session-log.md": "one" },
      unreadable: new Set(["decisions.md", "progress.md"]),
    });
  });

  it("are not waited for where a pipe is in their place", async () => {
    for (const name of ["decisions.md", "active-context.md"]) fake.pipes.add(`${ROOT}/.plimsoll/${name}`);
    expect((await readStateFiles(fake.engine, ROOT)).unreadable).toEqual(new Set(["decisions.md"]));
    expect(await readMode(fake.engine, ROOT)).toEqual({ kind: "none" });
  });

  it("are not followed through links", async () => {
    fake.files.set(`${ROOT}/.plimsoll/decisions.md`, "one");
    fake.files.set(`${ROOT}/.plimsoll/rules/a.md`, "rule");
    fake.files.set(`${ROOT}/.plimsoll/rules/b.md`, "/etc/passwd");
    for (const name of ["decisions.md", "rules/b.md"]) fake.links.add(`${ROOT}/.plimsoll/${name}`);
    expect(await readStateFiles(fake.engine, ROOT)).toEqual({ texts: {}, unreadable: new Set(["decisions.md"]) });
    expect(await readRules(fake.engine, ROOT)).toEqual([{ name: ".plimsoll/rules/a.md", text: "rule" }]);
  });

  it("set a mode, ours before the older tool's", async () => {
    expect(await readMode(fake.engine, ROOT)).toEqual({ kind: "none" });
    fake.files.set(`${ROOT}/.rune/active-context.md`, "review");
    expect(await readMode(fake.engine, ROOT)).toMatchObject({ kind: "set", mode: "review", file: "legacy" });
    fake.files.set(`${ROOT}/.plimsoll/active-context.md`, "off");
    expect(await readMode(fake.engine, ROOT)).toEqual({ kind: "none" });
  });

  it("hold rules in a folder of the project's own only where somebody has written settings of ours", async () => {
    fake.files.set(`${ROOT}/rules/tax.md`, "The rate is 7 %.");
    expect(await readRules(fake.engine, ROOT)).toEqual([]);
    fake.files.set(`${ROOT}/.plimsoll/rules/style.md`, "Be brief.");
    expect(await readRules(fake.engine, ROOT)).toMatchObject([{ name: ".plimsoll/rules/style.md" }]);
    fake.files.set(`${ROOT}/.plimsoll/settings.json`, "{}");
    expect(await readRules(fake.engine, ROOT)).toMatchObject([
      { name: ".plimsoll/rules/style.md" },
      { name: "rules/tax.md" },
    ]);
  });

  it("hold rules in the order of their names, fifty of a folder at most", async () => {
    for (let index = 60; index > 0; index--)
      fake.files.set(`${ROOT}/.plimsoll/rules/r${index + 100}.md`, `rule ${index}`);
    fake.files.set(`${ROOT}/.plimsoll/rules/.hidden.md`, "no");
    const rules = await readRules(fake.engine, ROOT);
    expect(rules).toHaveLength(50);
    expect([rules[0]?.name, rules.at(-1)?.name]).toEqual([".plimsoll/rules/r101.md", ".plimsoll/rules/r150.md"]);
  });
});

describe("what a session leaves in its project", () => {
  const NOW = Date.UTC(2026, 0, 2, 3, 4);
  const folder = `${ROOT}/.plimsoll`;
  const PLAN: StateSavePlan = {
    changed: { "decisions.md": "new" },
    evicted: [{ file: "decisions.md", text: "old entry\n\n" }],
  };
  const ENTRY = /\[2026-01-02 03:04[^\]]*\] from decisions\.md\nold entry\n\n$/;

  /** Saves as a session does: what could not be read is known from the reading. */
  async function save(plan: StateSavePlan): Promise<void> {
    const { unreadable } = await readStateFiles(fake.engine, ROOT);
    await writeStateFiles(fake.engine, ROOT, { plan, unreadable }, NOW);
  }

  it("is written file by file, beside an ignore file of its own", async () => {
    await save({ changed: { "decisions.md": "one", "progress.md": "two" }, evicted: [] });
    expect(Object.fromEntries(fake.files)).toEqual({
      [`${folder}/.gitignore`]: "*\n",
      [`${folder}/decisions.md`]: "one",
      [`${folder}/progress.md`]: "two",
    });
  });

  it("does not change an ignore file that the person wrote", async () => {
    fake.files.set(`${folder}/.gitignore`, "artifacts/\n");
    await save({ changed: { "decisions.md": "one" }, evicted: [] });
    expect(fake.files.get(`${folder}/.gitignore`)).toBe("artifacts/\n");
  });

  it("is nothing where nothing changed, or where its folder is a link", async () => {
    await save({ changed: {}, evicted: [] });
    fake.links.add(folder);
    await save({ changed: { "decisions.md": "one" }, evicted: [] });
    expect(fake.writes).toEqual([]);
  });

  it("is in the archive, dated, before it leaves its file", async () => {
    fake.files.set(`${folder}/archive.md`, "older\n");
    await save(PLAN);
    expect(fake.files.get(`${folder}/archive.md`)).toMatch(new RegExp(`^older\n${ENTRY.source}`));
    expect(fake.writes.indexOf(`${folder}/archive.md`)).toBeLessThan(fake.writes.indexOf(`${folder}/decisions.md`));
    fake.locked.add(`${folder}/archive.md`);
    fake.writes.length = 0;
    await expect(save(PLAN)).rejects.toThrow("EACCES");
    expect(fake.writes).toEqual([]);
  });

  it("does not touch a file that it could not read whole, nor archive anything of it", async () => {
    const whole = "x".repeat(5 * 1024 * 1024);
    fake.files.set(`${folder}/decisions.md`, whole);
    fake.links.add(`${folder}/session-log.md`);
    await save({
      changed: { "decisions.md": "new", "progress.md": "two", "session-log.md": "three" },
      evicted: [...PLAN.evicted, { file: "session-log.md", text: "a line" }],
    });
    expect(fake.files.get(`${folder}/decisions.md`)).toBe(whole);
    expect(fake.writes).toEqual([`${folder}/.gitignore`, `${folder}/progress.md`]);
  });

  it("leaves everything as it is where nothing but such files would change", async () => {
    fake.links.add(`${folder}/decisions.md`);
    await save(PLAN);
    expect(fake.writes).toEqual([]);
  });

  it.each([
    ["too long to be read", () => fake.files.set(`${folder}/archive.md`, "x".repeat(5 * 1024 * 1024))],
    ["a link", () => fake.links.add(`${folder}/archive.md`)],
  ])("goes into an archive beside one that is %s", async (_, spoil) => {
    spoil();
    const before = fake.files.get(`${folder}/archive.md`);
    await save(PLAN);
    expect(fake.files.get(`${folder}/archive.md`)).toBe(before);
    expect(fake.files.get(`${folder}/archive-${NOW}.md`)).toMatch(new RegExp(`^${ENTRY.source}`));
    expect(fake.files.get(`${folder}/decisions.md`)).toBe("new");
  });
});
