import { lstatSync, unlinkSync } from "node:fs";
import path from "node:path";
import type { ArtifactFolder } from "./artifact-folder.ts";
import { listOwnNames } from "./artifact-record.ts";

/** Nobody takes so long to write one file: who left it has ended. */
const LITTER_MS = 3_600_000;

/** What processes that were killed in the middle of writing have left in a store. */
export function removeLitter(folder: ArtifactFolder, nowMs: number): void {
  const shelves = listOwnNames(folder, folder.objects).map((part) => path.join(folder.objects, part));
  for (const place of [folder.root, folder.records, ...shelves])
    for (const name of listOwnNames(folder, place)) {
      if (!/^\..*\.tmp$/.test(name)) continue;
      const file = path.join(place, name);
      const status = lstatSync(file, { throwIfNoEntry: false });
      if (status?.isFile() && Math.abs(nowMs - status.mtimeMs) > LITTER_MS) unlinkSync(file);
    }
}
