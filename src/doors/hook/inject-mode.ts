import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { readActiveMode, readModeText } from "../../files/mode-files.ts";
import { decideModeInjection, type ModeDecision, type ModeState } from "../../policy/mode/decide-mode-injection.ts";
import type { Mode } from "../../policy/mode/mode.ts";
import type { HookContext } from "./hook.ts";

/** What the project's mode asks to be told now. `source`: why the session starts; `undefined` at a prompt. */
export function decideMode(state: ModeState, context: HookContext, source: string | undefined): ModeDecision {
  const active = readActiveMode(context.project);
  const text = active.kind === "set" ? readText(active.mode, context) : undefined;
  return decideModeInjection(
    state,
    source === undefined ? { kind: "prompt", active, text } : { kind: "sessionStart", source, active, text },
  );
}

/** A mode is one of three words, never what a file says: it cannot lead out of the folder. */
function readText(mode: Mode, { pluginRoot }: HookContext): string | undefined {
  const file = path.join(pluginRoot, "contexts", `${mode}.md`);
  return pluginRoot !== "" && existsSync(file) ? readFileSync(file, "utf8") : readModeText(mode);
}
