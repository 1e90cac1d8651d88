/** If red: lessons of one session overwrite those of another, or are written outside the project. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { loadMemory, readMemoryTopic, saveMemories } from "./memory.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);
const temporary = createTemporaryFolder();

function createProject(): string {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  return directory;
}

const inMemory = (directory: string, name: string): string => path.join(directory, ".plimsoll/memory", name);
const LESSONS = [
  { topic: "Testing", text: "Fixtures are recorded with npm run record." },
  { topic: "Release", text: "Tag before publishing." },
];

describe("the memory of a project", () => {
  it("[R122] [R133] gives a turn the index, and of the topics those that it is about", () => {
    const directory = createProject();
    expect(saveMemories(directory, LESSONS, AT)).toMatchObject({
      added: [{}, {}],
      duplicates: [],
      refused: [],
      skipped: [],
    });
    const { index, topics } = loadMemory(directory, "tag the release");
    expect(index.split("\n").filter((line) => line.startsWith("- ["))).toHaveLength(2);
    expect(topics).toEqual([{ file: "release.md", text: "# Release\n- 2026-01-02: Tag before publishing.\n" }]);
    expect(readMemoryTopic(directory, "testing.md")).toContain("2026-01-02: Fixtures");
  });

  it("[R122] is apart from the context: a turn reads it and leaves it as it was", () => {
    const directory = createProject();
    expect(loadMemory(directory, "anything")).toEqual({ index: "", topics: [], skipped: [] });
    expect(existsSync(path.join(directory, ".plimsoll"))).toBe(false);
    saveMemories(directory, LESSONS, AT);
    const before = readFileSync(inMemory(directory, "MEMORY.md"), "utf8");
    loadMemory(directory, "release");
    expect(readFileSync(inMemory(directory, "MEMORY.md"), "utf8")).toBe(before);
  });

  it("adds and never overwrites, also what another session learned meanwhile", () => {
    const directory = createProject();
    saveMemories(directory, LESSONS, AT);
    saveMemories(directory, [{ topic: "Release", text: "Tag after publishing." }], AT + 86_400_000);
    expect(saveMemories(directory, LESSONS, AT).duplicates).toHaveLength(2);
    expect(readMemoryTopic(directory, "release.md")).toBe(
      "# Release\n- 2026-01-02: Tag before publishing.\n- 2026-01-03: Tag after publishing.\n",
    );
  });

  it("is private, and keeps no secret", () => {
    const directory = createProject();
    const token = `ghp_${"a1B2".repeat(9)}`;
    saveMemories(directory, [{ topic: "Deploy", text: `The token is ${token}` }], AT);
    expect(statSync(inMemory(directory, "deploy.md")).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(directory, ".plimsoll/memory")).mode & 0o777).toBe(0o700);
    expect(readFileSync(inMemory(directory, "deploy.md"), "utf8")).not.toContain(token);
    expect(readFileSync(inMemory(directory, "MEMORY.md"), "utf8")).not.toContain(token);
  });

  it("leaves a file alone that it cannot read whole, and hands its lessons back", () => {
    const directory = createProject();
    saveMemories(directory, LESSONS, AT);
    const big = "x".repeat(1_000_001);
    writeFileSync(inMemory(directory, "release.md"), big);
    const report = saveMemories(
      directory,
      [
        { topic: "Release", text: "new" },
        { topic: "Testing", text: "new" },
      ],
      AT,
    );
    expect(report.refused).toEqual([{ topic: "Release", text: "new" }]);
    expect(report.skipped).toEqual([{ file: "release.md", why: "is larger than 1000000 bytes" }]);
    expect(report.added).toEqual([{ file: "testing.md", text: "new" }]);
    expect(readFileSync(inMemory(directory, "release.md"), "utf8")).toBe(big);
  });

  it("follows no link out: not a topic, not the index, not a folder", () => {
    const outside = temporary.name("-outside");
    mkdirSync(outside);
    writeFileSync(path.join(outside, "MEMORY.md"), "- [Release](release.md): secret\n");
    writeFileSync(path.join(outside, "release.md"), "secret");
    const linkedTopic = createProject();
    saveMemories(linkedTopic, LESSONS, AT);
    symlinkSync(path.join(outside, "release.md"), inMemory(linkedTopic, "secret.md"));
    expect(readMemoryTopic(linkedTopic, "secret.md")).toBeUndefined();
    const linkedFolder = createProject();
    mkdirSync(path.join(linkedFolder, ".plimsoll"));
    symlinkSync(outside, path.join(linkedFolder, ".plimsoll/memory"));
    expect(loadMemory(linkedFolder, "release")).toMatchObject({ index: "", topics: [] });
    expect(() => saveMemories(linkedFolder, LESSONS, AT)).toThrow("is a link");
    const linkedState = createProject();
    mkdirSync(path.join(outside, "memory"));
    writeFileSync(path.join(outside, "memory/MEMORY.md"), "secret");
    symlinkSync(outside, path.join(linkedState, ".plimsoll"));
    expect(loadMemory(linkedState, "release")).toMatchObject({ index: "", skipped: [{ file: "MEMORY.md" }] });
    expect(readMemoryTopic(linkedState, "../MEMORY.md")).toBeUndefined();
  });
});
