import type { Health } from "../../src/measure/health.ts";
import type { PolicyCommand } from "../../src/policy/command.ts";
import { INITIAL_POLICY, type PolicyState } from "../../src/policy/policy-state.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/policy/settings/settings.ts";
import { measured, saved } from "../../src/policy/steps/measured.ts";

/** A reading of the window, or the outcome of a save: `why` it failed, if it did. */
export type LoadInput = { readonly health: Health } | { readonly why: string | undefined };

const model = (): string => "claude-sonnet-4-5";

/** All that the policy orders over a session's readings and saves, with what it was about. */
export function followLoad(
  inputs: readonly LoadInput[],
  state: PolicyState = INITIAL_POLICY,
  settings: Partial<Settings> = {},
): { readonly state: PolicyState; readonly commands: readonly PolicyCommand[] } {
  const commands: PolicyCommand[] = [];
  let current = state;
  for (const input of inputs) {
    const all = { ...DEFAULT_SETTINGS, ...settings };
    const step =
      "health" in input ? measured(current, { ...input, model }, all) : saved(current, { ...input, model }, all);
    current = step.state;
    commands.push(...step.commands);
  }
  return { state: current, commands };
}

export interface LoadAdvice {
  readonly atCalls: number;
  readonly level: string;
  readonly text: string;
  readonly note: string;
}

/** Every advisory over a row of readings; each save succeeds at once unless the test says otherwise. */
export function listenToLoad(
  readings: readonly Health[],
  { saves = true }: { readonly saves?: boolean } = {},
): readonly LoadAdvice[] {
  let state: PolicyState = INITIAL_POLICY;
  return readings.flatMap((health) => {
    const before = followLoad([{ health }], state);
    const isAsked = before.commands.some(({ kind }) => kind === "save");
    const after = followLoad(isAsked && saves ? [{ why: undefined }] : [], before.state);
    state = after.state;
    return [...before.commands, ...after.commands].flatMap((command) => {
      if (command.kind !== "tell") return [];
      const [text = "", note = ""] = command.text.split("\n");
      return [{ atCalls: health.toolCalls, level: health.level, text, note: note.replace(/^Note: /, "") }];
    });
  });
}
