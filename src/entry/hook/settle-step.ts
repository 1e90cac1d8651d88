import { join } from "node:path";
import { writeAtomically } from "../../files/private-files.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { SESSION_FILES } from "../../policy/actions/data-paths.ts";
import type { ActionDetail } from "../../policy/actions/own-action.ts";
import type { PolicyCommand, PolicyStep } from "../../policy/command.ts";
import { INITIAL_POLICY, type PolicyState, parsePolicy } from "../../policy/policy-state.ts";
import { settleSaves } from "../../policy/settle-saves.ts";
import type { HookAnswer, HookContext } from "./hook.ts";

/** Takes a step of the policy and answers the client with it. If its state cannot be written, nothing is said or refused: that could repeat for ever. */
export async function askPolicy(
  { folder }: HookContext,
  ask: (before: PolicyState) => PolicyStep | Promise<PolicyStep>,
  actions?: readonly ActionDetail[],
): Promise<HookAnswer> {
  const before = readPolicy(folder);
  const step = await ask(before);
  writePolicy(folder, before, step.state);
  return answerStep(step.commands, actions);
}

/** Writes what a step wants written, with code that is loaded only then. */
export function settleStep(context: HookContext, given: PolicyStep, modelId: string): Promise<PolicyStep> {
  return settleSaves(given, {
    save: async () => (await import("./save-state.ts")).trySave(context),
    remember: async (lessons) => (await import("./save-state.ts")).tryRemember(context, lessons),
    pause: async (text) => (await import("./save-state.ts")).tryPause(context, text),
    settings: context.settings,
    model: () => modelId,
    canCompact: () => false,
  });
}

/** Commands as a hook's answer to the client. The caller has performed a save before. */
export function answerStep(commands: readonly PolicyCommand[], actions: readonly ActionDetail[] = []): HookAnswer {
  const texts = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  const warnings = commands.flatMap((command) => (command.kind === "warn" ? [`plimsoll: ${command.text}`] : []));
  const refusal = commands.find((command) => command.kind === "refuse");
  const output = {
    ...(texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") }),
    ...(refusal ? { permissionDecision: "deny", permissionDecisionReason: refusal.why } : {}),
  };
  return {
    ...(Object.keys(output).length === 0 ? {} : { output }),
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.join("\n") }),
    actions: [...actions, ...commands.flatMap((command) => (command.kind === "note" ? [command.action] : []))],
  };
}

/** The policy's state, in a file per part, because parallel hooks write different parts. */
export function readPolicy(folder: string | undefined): PolicyState {
  if (folder === undefined) return INITIAL_POLICY;
  const read = (name: string): unknown => readObject(join(folder, name));
  const { injected, advice, block, loop } = SESSION_FILES;
  return parsePolicy(read(injected), read(advice), read(block), read(loop));
}

function writePolicy(folder: string | undefined, before: PolicyState, after: PolicyState): void {
  if (folder === undefined) return;
  const parts = [
    [SESSION_FILES.injected, before.told, after.told],
    // A change of the last measure alone is no reason to write.
    [SESSION_FILES.advice, { ...before.red, health: undefined }, { ...after.red, health: undefined }, after.red],
    [SESSION_FILES.block, before.block, after.block],
    [SESSION_FILES.loop, before.loop, after.loop],
  ] as const;
  for (const [name, old, next, whole = next] of parts)
    if (JSON.stringify(old) !== JSON.stringify(next)) writeAtomically(join(folder, name), JSON.stringify(whole));
}
