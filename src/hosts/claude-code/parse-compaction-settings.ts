import { countField, parseObject } from "../../core/json.ts";
import type { CompactionSettings } from "../../measure/compaction-point.ts";

/** What the person told the client about compaction, as it stands in the environment and in files. */
export interface CompactionWishes {
  /** `CLAUDE_CODE_AUTO_COMPACT_WINDOW`, which goes before every file. */
  readonly window: string | undefined;
  /** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`. */
  readonly percent: string | undefined;
  /** The texts of the client's settings, those that go before others first; empty for a file that is not there. */
  readonly files: readonly string[];
}

/** Read as the client reads it (2.1.325); what it does not understand is not set for it either. */
export function parseCompactionSettings({ window, percent, files }: CompactionWishes): CompactionSettings {
  const windowTokens = parseTokens(window) ?? files.map(parseFile).find((tokens) => tokens !== undefined);
  const share = Number.parseFloat(percent ?? "");
  return {
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(share > 0 && share <= 100 ? { percent: share } : {}),
  };
}

/** `100000`, `100k` and `1m` alike. */
function parseTokens(text: string | undefined): number | undefined {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text?.trim() ?? "") ?? [];
  const tokens = Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1));
  return tokens >= 1 ? tokens : undefined;
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };

/** Settings that are absent or broken are the client's business: here they only mean that nothing is set. */
function parseFile(text: string): number | undefined {
  // Most are absent, and in a hook of milliseconds an error is felt.
  if (text === "") return undefined;
  return countField(parseObject(text), "autoCompactWindow") || undefined;
}
