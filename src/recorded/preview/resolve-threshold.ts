import { PREVIEW_THRESHOLDS, type PreviewCaller, type PreviewThreshold } from "./caller.ts";

export interface ResolvedThreshold {
  readonly threshold: PreviewThreshold;
  /** The variable that sets it; `undefined` for the default. */
  readonly source: string | undefined;
  /** What was set and not understood: the default stands then. */
  readonly warnings: readonly string[];
}

/** Ours first; the other one is read where ours is absent. */
const PREFIXES = ["PLIMSOLL_CONTEXT_THRESHOLDS_", "RUNE_CONTEXT_THRESHOLDS_"] as const;
const FORMAT = /^\s*warn\s*:\s*(\d{1,12})\s*,\s*block\s*:\s*(\d{1,12})\s*$/;

export function resolveThreshold(
  caller: PreviewCaller,
  environment: Readonly<Record<string, string | undefined>>,
): ResolvedThreshold {
  const name = PREFIXES.map((prefix) => `${prefix}${caller.toUpperCase()}`).find((known) => environment[known]);
  const standard = { threshold: PREVIEW_THRESHOLDS[caller], source: undefined, warnings: [] };
  if (name === undefined) return standard;
  const threshold = parseThreshold(environment[name] ?? "");
  if (threshold !== undefined) return { threshold, source: name, warnings: [] };
  const { warnAt, blockAt } = standard.threshold;
  const warning = `${name} is not understood: write warn:${warnAt},block:${blockAt}, the first not above the second; these defaults stand`;
  return { ...standard, warnings: [warning] };
}

function parseThreshold(text: string): PreviewThreshold | undefined {
  const match = FORMAT.exec(text);
  if (match === null) return undefined;
  const [warnAt, blockAt] = [Number(match[1]), Number(match[2])];
  return blockAt > 0 && warnAt <= blockAt ? { warnAt, blockAt } : undefined;
}
