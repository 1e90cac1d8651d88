import { basename, dirname } from "node:path";
import { numberField } from "../../core/json-fields.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { coldStatePath } from "../../survive/cold-tasks/cold-paths.ts";
import { CHECK_FREQUENCY, CONTEXT_THRESHOLD, isColdTrigger } from "../../survive/cold-tasks/decide-cold-run.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readObject } from "./session-files.ts";

/** What is known of the session at this moment. */
export interface ColdMoment {
  readonly usedPercent: number | undefined;
  /** Tool calls so far: what a look is rationed by before anybody knows the turn. */
  readonly calls: number;
}

export interface ColdState {
  readonly lastCheckTurn: number;
  readonly lastCheckCalls: number;
}

/** After a call that changes something, from the threshold on, and not before so many calls that as many turns may have passed. */
export function isColdLookDue(call: HookCall, { usedPercent, calls }: ColdMoment, file: string): boolean {
  if (usedPercent === undefined || usedPercent < CONTEXT_THRESHOLD) return false;
  if (!isColdTrigger(claudeCodeVocabulary.interpretCall(call.tool, call.input))) return false;
  const since = calls - readColdState(file).lastCheckCalls;
  return since >= CHECK_FREQUENCY || since < 0;
}

export function locateColdState({ sessionId }: HookInput, context: HookContext): string {
  return coldStatePath(locateHome(context), sessionId);
}

/** The pipeline's paths begin at the home; a configuration folder of another name does not move them. */
export function locateHome({ configFolder, env }: HookContext): string {
  return basename(configFolder) === ".claude" ? dirname(configFolder) : env.HOME || dirname(configFolder);
}

export function readColdState(file: string): ColdState {
  const saved = readObject(file) ?? {};
  return {
    lastCheckTurn: numberField(saved, "lastCheckTurn") ?? 0,
    lastCheckCalls: numberField(saved, "lastCheckCalls") ?? 0,
  };
}
