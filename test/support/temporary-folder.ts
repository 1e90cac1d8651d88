import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

/** A folder that goes away with the test file, and names for files in it: a fresh one for each call. */
export function createTemporaryFolder(): { readonly folder: string; name(suffix?: string): string } {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-test-"));
  let count = 0;
  afterAll(() => {
    // A test may have left something that only root could look into.
    execFileSync("chmod", ["-R", "u+rwX", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, name: (suffix = ".jsonl") => path.join(folder, `file-${++count}${suffix}`) };
}
