import { countField, parseObject } from "../../core/json.ts";
import type { CompactionSettings } from "../../measure/compaction-point.ts";

/** The person's settings for compaction in the client, as found in the environment and in files. */
export interface CompactionWishes {
  /** `CLAUDE_CODE_AUTO_COMPACT_WINDOW`, which takes precedence over every file. */
  readonly window: string | undefined;
  /** `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`. */
  readonly percent: string | undefined;
  /** The texts of the client's settings, highest precedence first; empty for a missing file. */
  readonly files: readonly string[];
}

/** Read as the client reads it (2.1.325); values that it does not understand are ignored here, too. */
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

/** Absent or broken settings are the client's business: here they only mean that nothing is set. */
function parseFile(text: string): number | undefined {
  // Most are absent, and an exception costs noticeable time in a hook of milliseconds.
  if (text === "") return undefined;
  return countField(parseObject(text), "autoCompactWindow") || undefined;
}
