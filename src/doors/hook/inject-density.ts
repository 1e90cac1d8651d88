import { existsSync } from "node:fs";
import path from "node:path";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { detectDensityRequest } from "../../policy/density/detect-density-request.ts";
import { stepDensity } from "../../policy/density/step-density.ts";
import type { Injection } from "../../policy/injection/injection.ts";
import { readAdvice, writeAdvice } from "./advice-file.ts";

export interface DensityTold {
  readonly injections: readonly Injection[];
  readonly warnings: readonly string[];
}

const NOTHING_SAID: DensityTold = { injections: [], warnings: [] };

/** The person's own words on how tersely to write; and a pause for one response where what they ask needs whole sentences. */
export function hearDensity(folder: string | undefined, prompt: string): DensityTold {
  if (folder === undefined || !(hasAdvice(folder) || detectDensityRequest(prompt) !== undefined)) return NOTHING_SAID;
  const red = readAdvice(folder);
  const { state, injections, warnings } = stepDensity(red.density, { kind: "prompt", text: prompt, startsTask: true });
  writeAdvice(folder, { ...red, density: state });
  return { injections: injections.map((text) => ({ what: "density", why: "prompt", text })), warnings };
}

/**
 * The rules that the person asked for went out with the old window. What only the load had switched on is left to whoever
 * measures next: after a compaction it mostly ends.
 */
export function repeatDensity(folder: string | undefined): readonly Injection[] {
  if (folder === undefined || !hasAdvice(folder)) return [];
  const red = readAdvice(folder);
  if (red.density.manual !== "caveman") return [];
  const { state, injections } = stepDensity(red.density, { kind: "compaction", level: undefined });
  // Without the last measure: who compares with it would find the compaction again and repeat the rules a second time.
  writeAdvice(folder, { ...red, density: state, health: undefined });
  return injections.map((text) => ({ what: "density", why: "compaction", text }));
}

function hasAdvice(folder: string): boolean {
  return existsSync(path.join(folder, SESSION_FILES.advice));
}
