import { splitLife } from "./catalogue.ts";
import type { Door } from "./door.ts";
import { gatewayDoors } from "./doors/gateway.ts";
import { hooksDoor } from "./doors/hooks.ts";
import { libraryDoor } from "./doors/library.ts";
import { moduleDoor } from "./doors/module/replay-module.ts";

/** The doors that a person can set the split cache life for, and that change with it. */
const HAS_SPLIT: ReadonlySet<string> = new Set(["door:module", "door:gateway"]);

/** Every door that replay drives: the one list that the command, its help and the tests read. */
export const DOORS: readonly Door[] = [moduleDoor, hooksDoor, ...gatewayDoors, libraryDoor].flatMap((door) =>
  HAS_SPLIT.has(door.name) ? [door, splitLife(door)] : [door],
);
