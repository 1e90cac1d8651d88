/** If red: lessons are stored twice, are lost when the memory is put in order, or are cut without a mark. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { putAgreed } from "../../../../../test/support/agree.ts";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const HOME = temporary.name("-home");

function createProject(): string {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  return directory;
}

const memory = (directory: string, ...words: readonly string[]) =>
  runPlimsoll(["memory", ...words], { directory, environment: { HOME } });

describe("plimsoll memory", () => {
  it("says that nothing is remembered, and makes nothing", async () => {
    const directory = createProject();
    expect((await memory(directory)).output).toContain("No lessons are saved.");
    expect(existsSync(path.join(directory, ".plimsoll"))).toBe(false);
  });

  it("[R122] adds a lesson to its topic once, lists the index and shows the topic", async () => {
    const directory = createProject();
    expect((await memory(directory, "add", "Release", "Tag before publishing.")).output).toBe("Saved in release.md.\n");
    expect((await memory(directory, "add", "Release", "tag before publishing")).output).toContain(
      "release.md already contains this lesson.",
    );
    expect((await memory(directory)).output).toMatch(
      /^# Memory\n- \[Release\]\(release\.md\): Tag before publishing\.\n\n2 of at most 200 lines, about \d+ tokens\n$/,
    );
    expect((await memory(directory, "show", "Release")).output).toMatch(
      /^# Release\n- \d{4}-\d\d-\d\d: Tag before publishing\.\n$/,
    );
  });

  it("[R133] shows of an index with 205 lines 200, the mark of the cut among them", async () => {
    const directory = createProject();
    await memory(directory, "add", "a", "b");
    const lines = Array.from({ length: 205 }, (_, index) => `line ${index}`).join("\n");
    putAgreed(directory, ".plimsoll/memory/MEMORY.md", lines, path.join(HOME, ".claude"));
    const { output } = await memory(directory);
    expect(output.split("\n").slice(198, 201)).toEqual(["line 198", "[truncated] 6 more lines in MEMORY.md", ""]);
  });

  it("[R122] puts it in order, and says what went", async () => {
    const directory = createProject();
    await memory(directory, "add", "Release", "Tag first.");
    const folder = path.join(directory, ".plimsoll/memory");
    const deploy = "# Deploy\n- Never on a Friday.\n- never on a friday\n";
    putAgreed(directory, ".plimsoll/memory/deploy.md", deploy, path.join(HOME, ".claude"));
    const { output } = await memory(directory, "consolidate");
    expect(output).toBe(
      "added to the index: deploy.md\nremoved a repeated lesson from deploy.md: - never on a friday\n",
    );
    expect(readFileSync(path.join(folder, "deploy.md"), "utf8")).toBe("# Deploy\n- Never on a Friday.\n");
    expect((await memory(directory, "consolidate")).output).toBe("Nothing to consolidate.\n");
  });

  it.each([
    [["ad", "x", "y"], "did you mean add?"],
    [["add", "x"], "takes two arguments: a topic and a lesson"],
    [["show"], "takes one topic"],
    [["show", "nothing"], "there is no topic nothing.md"],
    [["list", "x"], "unexpected argument"],
  ])("says what is wrong with %j", async (words, why) => {
    const { remarks, exitCode } = await memory(createProject(), ...words);
    expect(remarks).toContain(why);
    expect(exitCode).not.toBe(0);
  });
});
