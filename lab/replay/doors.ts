import type { Door } from "./door.ts";
import { gatewayDoors } from "./doors/gateway.ts";
import { hooksDoor } from "./doors/hooks.ts";
import { libraryDoor } from "./doors/library.ts";
import { moduleDoor } from "./doors/module/replay-module.ts";

/** Every door that replay drives: the one list that the command, its help and the tests read. */
export const DOORS: readonly Door[] = [moduleDoor, hooksDoor, ...gatewayDoors, libraryDoor];
