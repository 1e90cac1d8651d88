/** If red: one file that cannot be read hides the figures of all others. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../../../test/support/fake-terminal.ts";
import { tryScan } from "../../recorded/join-scans.ts";
import { collectUsage } from "./collect-usage.ts";

const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-scan-"));
const gone = path.join(folder, "gone.jsonl");
const empty = path.join(folder, "empty.jsonl");
writeFileSync(empty, "");

function describe(file: string) {
  return { path: file, project: "p", bytes: 0, modifiedMs: 0, isSubagent: false };
}

it("says why a file could not be scanned instead of throwing", () => {
  expect(tryScan(gone)).toEqual({ why: expect.stringContaining("ENOENT") });
});

it("goes on with the other files, and names the one that could not be read", async () => {
  const { scanned, unreadable } = await collectUsage([describe(gone), describe(empty)], createFakeTerminal());
  expect(scanned.map(({ file }) => file.path)).toEqual([empty]);
  expect(unreadable.map((file) => file.path)).toEqual([gone]);
});

it("refuses when none of the files can be read", async () => {
  await expect(collectUsage([describe(gone)], createFakeTerminal())).rejects.toThrow(`cannot read ${gone}`);
});
