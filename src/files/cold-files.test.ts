/** If red: the notes of finished tasks are not found again, or a person's own folder is removed. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { locateColdHome, STATE_FOLDER, SUMMARY_FOLDER } from "../survive/cold-tasks/cold-paths.ts";
import { findColdFiles, removeColdFiles } from "./cold-files.ts";

const temporary = createTemporaryFolder();

it("finds the files of cold tasks with their contents, and removes them; a folder among them is none of ours", () => {
  const config = temporary.name("-config");
  const root = locateColdHome(config, undefined);
  const summary = path.join(root, SUMMARY_FOLDER, "a.json");
  const torn = path.join(root, STATE_FOLDER, "s1_state.json");
  const kept = path.join(root, SUMMARY_FOLDER, "kept", "c.json");
  for (const file of [summary, torn, kept]) mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(summary, '{"subject":"OAuth2"}');
  writeFileSync(torn, "{");
  writeFileSync(kept, "{}");
  const found = findColdFiles(config, undefined);
  expect(found).toEqual([
    { path: summary, bytes: 20, content: { subject: "OAuth2" } },
    { path: torn, bytes: 1 },
  ]);
  // One of them may be gone already.
  removeColdFiles([...found.map(({ path: file }) => file), path.join(root, "gone.json")]);
  expect([summary, torn, kept].map((file) => existsSync(file))).toEqual([false, false, true]);
});
