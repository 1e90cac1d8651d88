import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";

/** What the file says while there is something to do; a yes too many costs a look, a no too many would cost a restore. */
const SIGNS = ['"stage":"asked"', '"stage":"told"', '"fate":"wanted"', '"given":{', '"isCompared":false'] as const;

/** Whether something waits to be put back after a compaction, without the code that puts it back. */
export function isRestoreWaiting(folder: string): boolean {
  const file = join(folder, SESSION_FILES.pending);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, "utf8");
  return SIGNS.some((sign) => text.includes(sign));
}
