import path from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { readCompactionSettings } from "../../hosts/claude-code/disk/compaction-settings.ts";
import { countField, numberField, objectField, textField } from "../../hosts/claude-code/json-fields.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import type { Level } from "../../measure/level.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { renderHull, renderShare } from "../../measure/render-load.ts";
import { SESSION_FILES } from "../../session/journal/data-paths.ts";
import { readCalls } from "../count-calls.ts";
import type { Hook, HookContext, HookInput } from "../hook.ts";
import { writeWhole } from "../session-files.ts";

const HULL_WIDTH = 12;
const COLOURS: Readonly<Record<Level, string>> = { GREEN: "32", YELLOW: "33", ORANGE: "38;5;208", RED: "31" };

/** One line for the status bar; what the client tells here and nowhere else is kept for whoever asks later. */
export const statusline: Hook = (input, context) => {
  saveReading(input.raw, context);
  const health = assessStatus(input, context);
  const painted = `\u001b[${COLOURS[health.level]}m${[renderHull(health, HULL_WIDTH), health.level].join(" ").trim()}\u001b[0m`;
  return { text: [`${painted} ${renderShare(health)}`, ...renderLimits(input.raw)].join(" · ") };
};

function assessStatus({ raw }: HookInput, context: HookContext): Health {
  const window = objectField(raw, "context_window") ?? {};
  const usage = objectField(window, "current_usage") ?? {};
  const usedTokens =
    countField(usage, "input_tokens") +
    countField(usage, "cache_creation_input_tokens") +
    countField(usage, "cache_read_input_tokens");
  const windowTokens = countField(window, "context_window_size");
  const { main, largeReads } = readCalls(context);
  return assessHealth(
    { ...emptyMeter, toolCalls: main, largeReads },
    {
      profile: context.settings.profile,
      settings: readCompactionSettings(context.env, { clientHome: context.configFolder, project: context.project }),
      ...(windowTokens > 0 ? { client: { usedTokens, windowTokens } } : {}),
    },
  );
}

function saveReading(raw: JsonObject, { folder, nowMs }: HookContext): void {
  if (folder === undefined) return;
  const { context_window = null, rate_limits = null, prompt_cache = null } = raw;
  const model = textField(objectField(raw, "model") ?? {}, "id");
  const reading = { atMs: nowMs(), source: "statusline", model, version: textField(raw, "version") };
  writeWhole(
    path.join(folder, SESSION_FILES.reading),
    `${JSON.stringify({ ...reading, context_window, rate_limits, prompt_cache })}\n`,
  );
}

const LIMITS = [
  ["five_hour", "5 h limit"],
  ["seven_day", "7 d limit"],
] as const;
/** Below this a rate limit is nobody's concern. */
const LIMIT_FROM_PERCENT = 70;

function renderLimits(raw: JsonObject): readonly string[] {
  const limits = objectField(raw, "rate_limits") ?? {};
  return LIMITS.flatMap(([key, label]) => {
    const percent = numberField(objectField(limits, key) ?? {}, "used_percentage");
    return percent !== undefined && percent >= LIMIT_FROM_PERCENT ? [`${label} ${Math.round(percent)} %`] : [];
  });
}
