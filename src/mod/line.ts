import { type CollapseVerdict, decideCollapse } from "../layers/ledger/decide-collapse.ts";
import { POLICY_SETTINGS } from "../layers/options/policy-settings.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";

/** The least window that the client takes, and what it reserves of it for an answer. */
const LEAST_WINDOW = 100_000;
const EFFECTIVE = LEAST_WINDOW - 20_000;
const MINUTES = 60_000;

/**
 * Brings a compaction about before the next request, or lets the client have its own line back. The engine reads both
 * variables before every request, also in the middle of a turn, and then asks `session.compact`, which we answer at once.
 */
export async function setLine($: Engine, live: Live, nowMs: number): Promise<CollapseVerdict | undefined> {
  const verdict = decide(live, nowMs);
  // Nothing is brought about where nothing can be kept.
  if (verdict?.isDue && (await live.shelf.isOpen())) await lower($, live);
  else await raise($, live);
  return verdict;
}

function decide(live: Live, nowMs: number): CollapseVerdict | undefined {
  const { watch, settings, isHourCached } = live;
  if (!settings.isEarly || settings.compaction === "native" || watch.contextTokens() === undefined) return undefined;
  const policy = POLICY_SETTINGS[settings.policy];
  const lastMs = watch.lastAnswerMs();
  const occasion = {
    baseTokens: watch.baseTokens(),
    model: watch.health().model,
    isCold: lastMs !== undefined && nowMs - lastMs > (isHourCached ? 60 : 5) * MINUTES,
    share1h: isHourCached ? 1 : 0,
    marks: "client",
  } as const;
  return decideCollapse(watch.load(policy), occasion, policy);
}

/** In words for the person; empty where nothing is to be done. */
export function renderVerdict(verdict: CollapseVerdict | undefined): string {
  if (!verdict?.isDue) return "";
  const gain = `${Math.round(verdict.gainTokens / 1000)}k tokens`;
  if (verdict.why === "cold") return `the cache is cold: ${gain} less to write anew, and to carry after`;
  return `carrying ${gain} of old exchanges has cost as much as writing the rest anew`;
}

/** Has the client compact before its next request. */
export async function lower($: Engine, live: Live): Promise<void> {
  const percent = Math.max(5, Math.floor(((live.watch.contextTokens() ?? 0) * 0.9 * 100) / EFFECTIVE));
  live.line.isLowered = true;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", String(LEAST_WINDOW));
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", String(Math.min(80, percent)));
}

/** Back to what the person had. */
export async function raise($: Engine, { line }: Live): Promise<void> {
  if (!line.isLowered) return;
  line.isLowered = false;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", line.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", line.percent);
}
