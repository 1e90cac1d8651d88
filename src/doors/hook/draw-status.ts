import { join } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { countField, numberField, objectField, textField } from "../../core/json-fields.ts";
import { sumContextTokens } from "../../core/usage.ts";
import { parseUsage } from "../../hosts/claude-code/parse-usage.ts";
import { decideCompactionPoint } from "../../measure/compaction-point.ts";
import { classifyCalls, classifyMeasured, classifyPercent, type Level } from "../../measure/level.ts";
import { projectLimit } from "../../measure/project-limit.ts";
import type { Status } from "../../measure/status-line.ts";
import { decideModelWindow } from "../../models/model-window.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { readCalls } from "./count-calls.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readLineSettings } from "./read-line-settings.ts";
import { readObject } from "./session-files.ts";
import { type SavedReading, saveReading } from "./status-reading.ts";

/**
 * The load as the client tells it, with what the session's own small files add. No transcript is opened: this is drawn after
 * every message.
 */
export function drawStatus(input: HookInput, context: HookContext): Status {
  const { raw } = input;
  const load = context.folder === undefined ? undefined : readObject(join(context.folder, SESSION_FILES.load));
  const usedTokens = readUsed(raw, load);
  const reading = saveReading(raw, usedTokens, context);
  const model = textField(objectField(raw, "model") ?? {}, "id");
  const window = decideModelWindow(model, usedTokens ?? 0);
  const told = countField(objectField(raw, "context_window") ?? {}, "context_window_size");
  const windowTokens = told > 0 ? told : window.windowTokens;
  const settings = readLineSettings(context);
  const learned = Array.isArray(load?.autoPreTokens)
    ? load.autoPreTokens.filter((size) => typeof size === "number")
    : [];
  const point = decideCompactionPoint({ ...window, windowTokens }, settings, learned).tokens;
  const isCounted = usedTokens === undefined || context.settings.profile === "calls";
  const calls = isCounted ? readCalls(context) : { main: 0, before: 0, largeReads: 0 };
  return {
    level: decideLevel({ usedTokens, windowTokens, point, calls }, context),
    usedTokens,
    compactionPointTokens: point,
    toolCalls: calls.main,
    requestsToLine: projectRequests(reading, point - (usedTokens ?? 0)),
    cacheLeftMs: readCacheLeft(raw, context.nowMs()),
    costUsd: numberField(objectField(raw, "cost") ?? {}, "total_cost_usd"),
    foldedTokens: reading.foldedTokens,
    limits: listLimits(raw, context.nowMs()),
  };
}

/** Before the first answer the client tells nothing, right after a compaction zeros: then nothing is known. */
function readUsed(raw: JsonObject, load: JsonObject | undefined): number | undefined {
  const usage = objectField(objectField(raw, "context_window") ?? {}, "current_usage");
  const kept = load === undefined ? undefined : objectField(load, "usage");
  const used = usage ? sumContextTokens(parseUsage(usage)) : sumKept(kept ?? {});
  return used > 0 ? used : undefined;
}

/** What the hooks saw at the end of the transcript the last time they looked. */
function sumKept(usage: JsonObject): number {
  const fields = ["inputTokens", "cacheReadTokens", "cacheWrite5mTokens", "cacheWrite1hTokens"];
  return fields.reduce((sum, field) => sum + countField(usage, field), 0);
}

interface Measures {
  readonly usedTokens: number | undefined;
  readonly windowTokens: number;
  readonly point: number;
  readonly calls: { readonly main: number; readonly before: number; readonly largeReads: number };
}

/** So many large reads switch the table of calls, as everywhere. */
const LARGE_FILES_FROM = 3;

function decideLevel({ usedTokens, windowTokens, point, calls }: Measures, { settings }: HookContext): Level {
  if (usedTokens === undefined || settings.profile === "calls")
    return classifyCalls(calls.main - calls.before, calls.largeReads >= LARGE_FILES_FROM);
  if (settings.profile === "percent") return classifyPercent((usedTokens / windowTokens) * 100);
  return classifyMeasured(usedTokens, point);
}

function projectRequests({ growth }: SavedReading, leftTokens: number): number | undefined {
  if (growth.length === 0) return undefined;
  const pace = growth.reduce((sum, tokens) => sum + tokens, 0) / growth.length;
  return pace > 0 ? Math.max(0, Math.floor(leftTokens / pace)) : undefined;
}

/** Clients before 2.1.280 or so say nothing of their cache. */
function readCacheLeft(raw: JsonObject, nowMs: number): number | undefined {
  const cache = objectField(raw, "prompt_cache");
  if (cache === undefined || cache.caching_observed !== true) return undefined;
  const expiresAt = numberField(cache, "expires_at");
  if (cache.warm !== true || expiresAt === undefined) return 0;
  return Math.max(0, expiresAt * 1000 - nowMs);
}

const LIMITS = [
  ["five_hour", "5 h", 5],
  ["seven_day", "7 d", 168],
] as const;
const HOUR_MS = 3_600_000;
/** Below this a rate limit is nobody's concern. */
const LIMIT_FROM_PERCENT = 70;

function listLimits(raw: JsonObject, nowMs: number): Status["limits"] {
  const limits = objectField(raw, "rate_limits") ?? {};
  return LIMITS.flatMap(([key, name, hours]) => {
    const limit = objectField(limits, key) ?? {};
    const percent = numberField(limit, "used_percentage");
    if (percent === undefined || percent < LIMIT_FROM_PERCENT) return [];
    const resets = numberField(limit, "resets_at");
    // What was told of a period that is over is not told on.
    const resetsAtMs = resets !== undefined && resets * 1000 > nowMs ? resets * 1000 : undefined;
    const endsAtMs = projectLimit({ usedPercent: percent, resetsAtMs }, hours * HOUR_MS, nowMs);
    const until = (atMs: number | undefined): number | undefined => (atMs === undefined ? undefined : atMs - nowMs);
    return [{ name, percent, resetsInMs: until(resetsAtMs), endsInMs: until(endsAtMs) }];
  });
}
