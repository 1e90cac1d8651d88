import { priceAsHeadline, priceAsNewest, withInstalledLevers, withLevers } from "./catalogue.ts";
import type { Door } from "./door.ts";
import { gatewayDoors } from "./doors/gateway.ts";
import { hooksDoor } from "./doors/hooks.ts";
import { libraryDoor } from "./doors/library.ts";
import { moduleDoor } from "./doors/module/replay-module.ts";

/** Every door that replay drives: the one list that the command, its help and the tests read. */
export const DOORS: readonly Door[] = [moduleDoor, hooksDoor, ...gatewayDoors, libraryDoor].flatMap(addTerms);

/** The doors that a person can set a cache life or a smaller base for, also at the prices of the newest models. */
function addTerms(door: Door): readonly Door[] {
  if (door.name === "door:gateway") return [door, ...withLevers(door), ...priceAsHeadline(door)];
  if (door.name !== "door:module") return [door];
  const rows = [door, ...withInstalledLevers(door)];
  return [...rows, ...priceAsNewest(...rows)];
}
