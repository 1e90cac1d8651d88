import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { HookContext } from "./hook.ts";

const DECLINED = "declined";

/**
 * Whether the hooks module serves this session: then the command hooks have nothing to add. It says so in the environment
 * of the client's process, before the first command hook is started.
 */
export function isModuleAlive({ env }: HookContext): boolean {
  return (env.PLIMSOLL_MODULE ?? "") !== "";
}

/** True once in a session: whoever makes the file says it. */
export function isFirstRefusal(folder: string | undefined): boolean {
  if (folder === undefined) return false;
  try {
    closeSync(openSync(join(folder, DECLINED), "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}
