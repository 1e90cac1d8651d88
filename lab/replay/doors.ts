import { priceAsNewest, withLevers } from "./catalogue.ts";
import type { Door } from "./door.ts";
import { gatewayDoors } from "./doors/gateway.ts";
import { hooksDoor } from "./doors/hooks.ts";
import { libraryDoor } from "./doors/library.ts";
import { moduleDoor } from "./doors/module/replay-module.ts";

/** The doors that a person can set the split cache life and a smaller base for, and that change with them. */
const HAS_LEVERS: ReadonlySet<string> = new Set(["door:module", "door:gateway"]);

/** Every door that replay drives: the one list that the command, its help and the tests read. */
export const DOORS: readonly Door[] = [moduleDoor, hooksDoor, ...gatewayDoors, libraryDoor]
  .flatMap((door) => (HAS_LEVERS.has(door.name) ? [door, ...withLevers(door)] : [door]))
  .flatMap((door) => (/^door:module(\+both)?$/.test(door.name) ? [door, ...priceAsNewest(door)] : [door]));
