import { basename, dirname } from "node:path";
import { coldStatePath } from "../../survive/cold-tasks/cold-paths.ts";
import { type ColdState, parseColdState } from "../../survive/cold-tasks/is-look-due.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readObject } from "./session-files.ts";

export function locateColdState({ sessionId }: HookInput, context: HookContext): string {
  return coldStatePath(locateHome(context), sessionId);
}

/** The pipeline's paths begin at the home; a configuration folder of another name does not move them. */
export function locateHome({ configFolder, env }: HookContext): string {
  return basename(configFolder) === ".claude" ? dirname(configFolder) : env.HOME || dirname(configFolder);
}

export function readColdState(file: string): ColdState {
  return parseColdState(readObject(file) ?? {});
}
