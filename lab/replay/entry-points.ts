import { priceAsHeadline, priceAsNewest, withInstalledLevers, withLevers } from "./catalogue.ts";
import { gatewayEntryPoints } from "./entry/gateway.ts";
import { hooksEntryPoint } from "./entry/hooks.ts";
import { libraryEntryPoint } from "./entry/library.ts";
import { moduleEntryPoint } from "./entry/module/replay-module.ts";
import type { EntryPoint } from "./entry-point.ts";

/** Every entry point that replay drives: the one list that the command, its help and the tests read. */
export const ENTRY_POINTS: readonly EntryPoint[] = [
  moduleEntryPoint,
  hooksEntryPoint,
  ...gatewayEntryPoints,
  libraryEntryPoint,
].flatMap(addTerms);

/** The entry points that a person can set a cache life or a smaller base for, also at the prices of the newest models. */
function addTerms(entryPoint: EntryPoint): readonly EntryPoint[] {
  if (entryPoint.name === "door:gateway")
    return [entryPoint, ...withLevers(entryPoint), ...priceAsHeadline(entryPoint)];
  if (entryPoint.name !== "door:module") return [entryPoint];
  const rows = [entryPoint, ...withInstalledLevers(entryPoint)];
  return [...rows, ...priceAsNewest(...rows)];
}
