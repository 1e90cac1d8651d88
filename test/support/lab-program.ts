import { execFileSync } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The lab's program, built into a folder of the test. */
export function buildLab(folder: string): string {
  execFileSync(process.execPath, [path.join(ROOT, "scripts/build-lab.mjs"), folder]);
  return path.join(folder, "main.cjs");
}
