import type { JsonObject } from "../core/json.ts";
import { textField } from "../hosts/claude-code/json-fields.ts";
import { decideEarly, type EarlyDecision } from "../session/compaction/decide-early.ts";
import { planBudget } from "../session/compaction/plan-budget.ts";
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
export async function setLine(
  $: Engine,
  live: Live,
  isAtBoundary: boolean,
  nowMs: number,
): Promise<EarlyDecision | undefined> {
  const decision = decide(live, isAtBoundary, nowMs);
  if (decision?.isDue) await lower($, live);
  else await raise($, live);
  return decision;
}

function decide(live: Live, isAtBoundary: boolean, nowMs: number): EarlyDecision | undefined {
  const { watch, settings, isHourCached } = live;
  const contextTokens = watch.contextTokens();
  if (!settings.isEarly || settings.compaction === "native" || contextTokens === undefined) return undefined;
  const { tailTokens, recordTokens } = planBudget(contextTokens);
  const lastMs = watch.lastAnswerMs();
  return decideEarly({
    contextTokens,
    baseTokens: watch.baseTokens(),
    keptTokens: tailTokens + recordTokens,
    isCold: lastMs !== undefined && nowMs - lastMs > (isHourCached ? 60 : 5) * MINUTES,
    isAtBoundary,
    requestsSince: watch.requestsSince(),
    model: watch.health().model,
  });
}

async function lower($: Engine, live: Live): Promise<void> {
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

/** A piece of work is finished where a task is closed or a commit is made: what led to it is needed least from here on. */
export function isBoundary(tool: string, input: JsonObject): boolean {
  if (tool === "TaskUpdate") return textField(input, "status") === "completed";
  return tool === "Bash" && /\bgit\s+(?:-C\s+\S+\s+)?(?:commit|push|merge)\b/.test(textField(input, "command"));
}
