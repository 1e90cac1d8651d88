import { beforeEach, describe, expect, it } from "vitest";
import { createFakeEngine, type FakeEngine } from "../../../test/support/fake-engine.ts";
import { readNotes } from "../../files/project-reader.ts";
import type { StateSavePlan } from "../../survive/project-state/plan-state-save.ts";
import { engineProjectFiles } from "./engine-project-files.ts";
import { writeStateFiles } from "./write-state-files.ts";

const ROOT = "/home/dev/demo";
let fake: FakeEngine;
beforeEach(() => {
  fake = createFakeEngine();
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
    const { unreadable } = await readNotes(engineProjectFiles(fake.engine), ROOT);
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
