/** If red: state is written through a link to somewhere else. */
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { putPause } from "../../src/files/leave-state.ts";
import { nodeProjectFiles } from "../../src/files/node-project-files.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const temporary = createTemporaryFolder();

/** Where the project's link leads: into a folder, to a file, and nowhere. */
const TARGETS: Readonly<Record<string, (target: string) => void>> = {
  "to a folder": (target) => mkdirSync(target),
  "to a file": (target) => writeFileSync(target, "theirs\n"),
  nowhere: () => undefined,
};

function createLinked(make: (target: string) => void) {
  const root = mkdtempSync(path.join(temporary.folder, "linked-"));
  const [project, home, target] = [path.join(root, "project"), path.join(root, "home"), path.join(root, "target")];
  for (const folder of [project, home]) mkdirSync(folder);
  make(target);
  symlinkSync(target, path.join(project, ".plimsoll"));
  writeFileSync(path.join(project, "long.txt"), "a line of a long output\n".repeat(2000));
  return { project, home, target };
}

const ADVICE =
  /\.plimsoll is a link, and Plimsoll never writes through a link: remove the link, or replace it with a folder/;

describe.each(Object.entries(TARGETS))("a .plimsoll that is a link %s", (_where, make) => {
  it.each([
    ["mode", "dev"],
    ["memory", "add", "build", "Build with make."],
    ["fold", "long.txt", "--store"],
  ])("is refused in plain words by plimsoll %s", async (...words) => {
    const { project, home, target } = createLinked(make);
    const run = await runPlimsoll(words, { directory: project, environment: { HOME: home } });
    expect(run.remarks).toMatch(ADVICE);
    expect(run.remarks).not.toContain("unexpected");
    if (make === TARGETS["to a folder"]) expect(readdirSync(target)).toEqual([]);
  });

  it("is refused where a session leaves its state", async () => {
    const { project } = createLinked(make);
    await expect(putPause(nodeProjectFiles, project, "# Continue here\n")).rejects.toThrow(ADVICE);
  });
});
