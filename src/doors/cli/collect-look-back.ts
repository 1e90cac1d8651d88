import { readFileSync } from "node:fs";
import { sumContextTokens } from "../../core/usage.ts";
import { listAll, locateHome } from "../../hosts/catalogue.ts";
import { describeLimits, type LimitState } from "../../measure/describe-limits.ts";
import type { TimedSpend } from "../../measure/usage-block.ts";
import { priceUsage } from "../../models/economics/spend.ts";
import { joinScans, type ScannedFile } from "../../recorded/join-scans.ts";
import { findLastReplay } from "../../recorded/last-replay.ts";
import { type LookBack, lookBack } from "../../recorded/look-back/look-back.ts";
import { readToldLimits } from "../../recorded/look-back/read-told-limits.ts";
import { type Saved, sumSaved } from "../../replay/what-was-saved.ts";
import type { Terminal } from "./command.ts";
import { type ReplayState, startReplay } from "./replay/start-replay.ts";
import { scanFiles } from "./scan-files.ts";

/** Everything that is told of the person's own work over all sessions. */
export interface CollectedLookBack {
  /** `undefined` where no request with a time is recorded. */
  readonly look: LookBack | undefined;
  readonly saved: Saved | undefined;
  readonly replay: ReplayState;
  readonly limits: readonly LimitState[];
}

/** Only the last week matters to a limit. */
const WEEK_MS = 7 * 86_400_000;

export async function collectLookBack(terminal: Terminal): Promise<CollectedLookBack> {
  const nowMs = terminal.nowMs();
  const files = listAll(terminal.environment, terminal.hosts).filter(({ bytes }) => bytes > 0);
  const { scanned } = joinScans(files, await scanFiles(files, terminal));
  const look = lookBack(scanned, nowMs);
  const home = locateHome(terminal.environment, terminal.hosts);
  return {
    look,
    saved: look && readSaved(terminal, look.files),
    replay: look ? startReplay(terminal, files[0]?.modifiedMs ?? 0) : { status: "none" },
    limits: describeLimits(readToldLimits(home), listSpends(scanned, nowMs - 2 * WEEK_MS), nowMs),
  };
}

function listSpends(scanned: readonly ScannedFile[], fromMs: number): readonly TimedSpend[] {
  return scanned.flatMap(({ ownSteps }) =>
    ownSteps.flatMap(({ atMs, usage, model }) => {
      if (atMs === undefined || atMs < fromMs) return [];
      const tokens = sumContextTokens(usage) + usage.outputTokens;
      return [{ atMs, usd: priceUsage(usage, model)?.totalUsd ?? 0, tokens }];
    }),
  );
}

/** The answer is ours to lose: whatever is wrong with it, nothing is told of it. */
function readSaved({ environment }: Terminal, files: readonly string[]): Saved | undefined {
  const last = findLastReplay(environment);
  if (last === undefined) return undefined;
  try {
    return sumSaved(JSON.parse(readFileSync(last, "utf8")), files);
  } catch {
    return undefined;
  }
}
