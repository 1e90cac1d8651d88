/** If red: a crash leaves half an original, or a file changes while somebody reads it. */
import fs, { closeSync, openSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { locateArtifacts } from "./artifacts/artifact-folder.ts";
import { keepArtifact } from "./artifacts/keep-artifact.ts";
import { writeAtomically } from "./private-files.ts";

const temporary = createTemporaryFolder();

it("puts a whole new file in the place of the old one, which whoever has it open still reads", () => {
  const file = temporary.name("-file");
  writeFileSync(file, "old");
  const { ino } = statSync(file);
  const handle = openSync(file, "r");
  writeAtomically(file, "new");
  expect(readFileSync(handle, "utf8")).toBe("old");
  closeSync(handle);
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).ino).not.toBe(ino);
});

it("waits for the disk with every original, before its name is given to it", () => {
  const project = temporary.name("-project");
  fs.mkdirSync(project);
  const order: string[] = [];
  const { fsyncSync, renameSync } = fs;
  onTestFinished(() => {
    Object.assign(fs, { fsyncSync, renameSync });
    syncBuiltinESMExports();
  });
  Object.assign(fs, {
    fsyncSync: (handle: number) => {
      order.push("sync");
      fsyncSync(handle);
    },
    renameSync: (from: string, to: string) => {
      if (path.dirname(path.dirname(to)).endsWith("objects")) order.push("rename");
      renameSync(from, to);
    },
  });
  syncBuiltinESMExports();
  expect(keepArtifact(locateArtifacts(project), { output: "plank", tool: "Bash" }, 0).ok).toBe(true);
  expect(order.indexOf("rename")).toBeGreaterThan(0);
  expect(order[order.indexOf("rename") - 1]).toBe("sync");
});
