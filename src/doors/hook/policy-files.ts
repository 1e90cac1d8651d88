import { join } from "node:path";
import { writeAtomically } from "../../files/private-files.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { INITIAL_POLICY, type PolicyState, parsePolicy } from "../../policy/policy-state.ts";

/** The policy's state, in a file per part, because parallel hooks write different parts. */
export function readPolicy(folder: string | undefined): PolicyState {
  if (folder === undefined) return INITIAL_POLICY;
  const read = (name: string): unknown => readObject(join(folder, name));
  const { told, advice, block, loop } = SESSION_FILES;
  return parsePolicy(read(told), read(advice), read(block), read(loop));
}

export function writePolicy(folder: string | undefined, before: PolicyState, after: PolicyState): void {
  if (folder === undefined) return;
  const parts = [
    [SESSION_FILES.told, before.told, after.told],
    // A change of the last measure alone is no reason to write.
    [SESSION_FILES.advice, { ...before.red, health: undefined }, { ...after.red, health: undefined }, after.red],
    [SESSION_FILES.block, before.block, after.block],
    [SESSION_FILES.loop, before.loop, after.loop],
  ] as const;
  for (const [name, old, next, whole = next] of parts)
    if (JSON.stringify(old) !== JSON.stringify(next)) writeAtomically(join(folder, name), JSON.stringify(whole));
}
