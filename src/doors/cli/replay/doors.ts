import type { Door } from "../../../replay/door.ts";
import { gatewayDoors } from "../../gateway/replay-gateway.ts";
import { hooksDoor } from "../../hook/replay-hooks.ts";
import { moduleDoor } from "../../module/replayed/replay-module.ts";
import { libraryDoor } from "./library-door.ts";

/** Every door that replay drives: the one list that the command, its help and the tests read. */
export const DOORS: readonly Door[] = [moduleDoor, hooksDoor, ...gatewayDoors, libraryDoor];
