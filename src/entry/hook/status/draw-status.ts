import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { countField, type JsonObject, listField, numberField, objectField, textField } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject, readRegularFile } from "../../../files/read-regular-file.ts";
import { appendLine, readNewLines } from "../../../files/read-tail.ts";
import { parseHookInput } from "../../../hosts/claude-code/hook-input.ts";
import { decideCompactionPoint } from "../../../measure/compaction-point.ts";
import { projectLimit } from "../../../measure/describe-limits.ts";
import { classifyLoad, type Level } from "../../../measure/level.ts";
import { renderStatusLine, STATUS_COLUMNS, type Status, type StatusSegment } from "../../../measure/status-line.ts";
import { decideModelWindow } from "../../../models/find-model.ts";
import { locateData, SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { readStatusSpent } from "../../../policy/read-status-spent.ts";
import { parseUsage } from "../../../wire/anthropic/parse-usage.ts";
import { buildContext, locatePlaces } from "../build-context.ts";
import type { HookContext } from "../hook.ts";
import { readCalls } from "../load/read-load.ts";
import { projectLayer } from "../project-layer.ts";
import { readLineSettings } from "./read-line-settings.ts";

/** From the client's JSON to the line; `undefined` if it is no status, or if Plimsoll is off. */
export function drawStatusText(
  text: string,
  env: HookContext["env"],
  segments?: readonly StatusSegment[],
): { readonly status: Status; readonly line: string } | undefined {
  const input = parseHookInput("statusline", text);
  if (input === undefined) return undefined;
  const built = buildContext(input, env, projectLayer(locatePlaces(input, env)));
  if (!built.settings.isOn) return undefined;
  const context = segments ? { ...built, settings: { ...built.settings, statusLine: segments } } : built;
  const status = drawStatus(context);
  return { status, line: paintStatus(status, context) };
}

/** The load as the client reports it, with what the session's small files add. Opens no transcript, because it is drawn after every message. */
export function drawStatus(context: HookContext): Status {
  const { raw } = context;
  const load = (context.folder && readObject(join(context.folder, SESSION_FILES.load))) || {};
  const usedTokens = readUsed(raw, load);
  const reading = saveReading(raw, usedTokens, context);
  const model = textField(objectField(raw, "model") ?? {}, "id");
  const window = decideModelWindow(model, { largestContextTokens: usedTokens ?? 0 });
  const windowSize = countField(objectField(raw, "context_window") ?? {}, "context_window_size");
  const windowTokens = windowSize > 0 ? windowSize : window.windowTokens;
  const settings = readLineSettings(context);
  const learned = listField(load, "autoPreTokens").filter((size) => typeof size === "number");
  const compactionPointTokens = decideCompactionPoint({ ...window, windowTokens }, settings, learned).tokens;
  const { profile } = context.settings;
  const calls = usedTokens === undefined || profile === "calls" ? readCalls(context) : undefined;
  const { main = 0, before = 0, largeReads = 0 } = calls ?? {};
  const measured = { usedTokens, windowTokens, compactionPointTokens, windowCalls: main - before, largeReads };
  return {
    level: classifyLoad(measured, profile),
    usedTokens,
    compactionPointTokens,
    toolCalls: main,
    requestsToLine: projectRequests(reading, compactionPointTokens - (usedTokens ?? 0)),
    cacheLeftMs: readCacheLeft(raw, context.nowMs()),
    costUsd: numberField(objectField(raw, "cost") ?? {}, "total_cost_usd"),
    foldedTokens: reading.foldedTokens,
    limits: listLimits(raw, context.nowMs()),
    ...readSpending(reading, context),
    model: textField(objectField(raw, "model") ?? {}, "display_name") || model,
    branch: context.settings.statusLine.includes("branch") ? readBranch(context.project) : "",
  };
}

/** Unknown before the first answer, when the client reports nothing, and right after a compaction, when it reports zeros. */
function readUsed(raw: JsonObject, load: JsonObject): number | undefined {
  const usage = objectField(objectField(raw, "context_window") ?? {}, "current_usage");
  const used = usage ? sumContextTokens(parseUsage(usage)) : sumKept(objectField(load, "usage") ?? {});
  return used > 0 ? used : undefined;
}

/** Tokens at the end of the transcript when the hooks last looked. */
function sumKept(usage: JsonObject): number {
  const fields = ["inputTokens", "cacheReadTokens", "cacheWrite5mTokens", "cacheWrite1hTokens"];
  return fields.reduce((sum, field) => sum + countField(usage, field), 0);
}

function projectRequests({ growth }: SavedReading, leftTokens: number): number | undefined {
  if (growth.length === 0) return undefined;
  const pace = growth.reduce((sum, tokens) => sum + tokens, 0) / growth.length;
  return pace > 0 ? Math.max(0, Math.floor(leftTokens / pace)) : undefined;
}

/** Clients before about 2.1.280 report nothing of their cache. */
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

function listLimits(raw: JsonObject, nowMs: number): Status["limits"] {
  const limits = objectField(raw, "rate_limits") ?? {};
  return LIMITS.flatMap(([key, name, hours]) => {
    const limit = objectField(limits, key) ?? {};
    const percent = numberField(limit, "used_percentage");
    if (percent === undefined) return [];
    const resets = numberField(limit, "resets_at");
    // A reset time in the past is dropped.
    const resetsAtMs = resets !== undefined && resets * 1000 > nowMs ? resets * 1000 : undefined;
    const endsAtMs = projectLimit({ usedPercent: percent, resetsAtMs }, hours * HOUR_MS, nowMs);
    const until = (atMs: number | undefined): number | undefined => (atMs === undefined ? undefined : atMs - nowMs);
    return [{ name, percent, resetsInMs: until(resetsAtMs), endsInMs: until(endsAtMs) }];
  });
}

interface SavedReading {
  /** Growth of the last requests in tokens, oldest first. */
  readonly growth: readonly number[];
  readonly foldedTokens: number;
  /** Cost of this session since all sessions were last added up. */
  readonly sinceUsd: number;
}

/** The total of all sessions when they were last added up, plus this one's cost since. */
function readSpending({ sinceUsd }: SavedReading, context: HookContext): Pick<Status, "todayUsd" | "budget"> {
  const { todayUsd, budget } = readStatusSpent(readSpentFile(context), context.nowMs());
  return { todayUsd: todayUsd === undefined ? undefined : todayUsd + sinceUsd, budget };
}

function readSpentFile({ configFolder }: HookContext): JsonObject | undefined {
  return readObject(join(locateData(configFolder), "spent.json"));
}

/** The branch in `.git/HEAD` of the project or a folder above it; in a worktree, `.git` is a file that names the place. */
function readBranch(project: string): string {
  for (let folder = project, depth = 0; depth < 20; folder = dirname(folder), depth++) {
    const at = join(folder, ".git");
    const pointer = readRegularFile(at, MAX_HEAD_BYTES)
      ?.replace(/^gitdir: /, "")
      .trim();
    const head = readRegularFile(join(pointer === undefined ? at : resolve(folder, pointer), "HEAD"), MAX_HEAD_BYTES);
    const [, branch = ""] = /^ref: refs\/heads\/([\w./@+#-]{1,200})\s*$/.exec(head ?? "") ?? [];
    if (head !== undefined || dirname(folder) === folder) return branch;
  }
  return "";
}

const MAX_HEAD_BYTES = 4096;

const KEPT_GROWTH = 20;
const JOURNALS = [SESSION_FILES.hookActions, SESSION_FILES.moduleActions] as const;
/** The first look at a long journal reads only its end, later ones what was added. */
const MAX_JOURNAL_BYTES = 1 << 20;

/** Saves what the client reports only here, with the growth and the folds so far. */
function saveReading(raw: JsonObject, usedTokens: number | undefined, context: HookContext): SavedReading {
  const { folder, nowMs } = context;
  if (folder === undefined) return { growth: [], foldedTokens: 0, sinceUsd: 0 };
  const file = join(folder, SESSION_FILES.reading);
  const before = readObject(file) ?? {};
  const model = textField(objectField(raw, "model") ?? {}, "id");
  const growth = followGrowth(before, usedTokens, model);
  const journals = followJournals(folder, objectField(before, "journals") ?? {});
  const foldedTokens = JOURNALS.reduce((sum, name) => sum + countField(journals[name] ?? {}, "folded"), 0);
  const counted = followCost(raw, before, context);
  const { context_window = null, rate_limits = null, prompt_cache = null } = raw;
  const next = {
    atMs: nowMs(),
    source: "statusline",
    model,
    version: textField(raw, "version"),
    context_window,
    rate_limits,
    prompt_cache,
    used: usedTokens ?? numberField(before, "used") ?? null,
    growth,
    journals,
    counted,
  };
  const limits = JSON.stringify(rate_limits);
  // A limit has changed between two of these lines: what was spent in between shows what it counts.
  if (rate_limits !== null && limits !== JSON.stringify(before.rate_limits))
    appendLine(join(folder, SESSION_FILES.limits), `{"atMs":${nowMs()},"rate_limits":${limits}}\n`);
  writeAtomically(file, `${JSON.stringify(next)}\n`);
  return { growth, foldedTokens, sinceUsd: Math.max(0, readCost(raw) - counted.usd) };
}

/** Cost of this session when all sessions were last added up, as far as the line was drawn then. */
function followCost(raw: JsonObject, before: JsonObject, context: HookContext) {
  const atMs = countField(readSpentFile(context) ?? {}, "atMs");
  const known = objectField(before, "counted");
  const isSame = known !== undefined && countField(known, "atMs") === atMs;
  return { atMs, usd: isSame ? countField(known, "usd") : readCost(raw) };
}

function readCost(raw: JsonObject): number {
  return countField(objectField(raw, "cost") ?? {}, "total_cost_usd");
}

/** One entry per request: a second drawing for the same request adds nothing, nor does a smaller size. */
function followGrowth(before: JsonObject, usedTokens: number | undefined, model: string): readonly number[] {
  const growth = listField(before, "growth").filter((tokens) => typeof tokens === "number");
  const used = numberField(before, "used");
  if (usedTokens === undefined || used === undefined || textField(before, "model") !== model) return growth;
  return usedTokens > used ? [...growth, usedTokens - used].slice(-KEPT_GROWTH) : growth;
}

function followJournals(folder: string, before: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    JOURNALS.flatMap((name) => {
      const file = join(folder, name);
      return existsSync(file) ? [[name, followJournal(file, objectField(before, name) ?? {})] as const] : [];
    }),
  );
}

function followJournal(file: string, before: JsonObject): JsonObject {
  const { text, nextOffset, isSame } = readNewLines(file, MAX_JOURNAL_BYTES, countField(before, "offset"));
  return { offset: nextOffset, folded: (isSame ? countField(before, "folded") : 0) + sumFolds(text) };
}

function sumFolds(text: string): number {
  let sum = 0;
  for (const line of text.split("\n"))
    if (line.includes('"kind":"folded"')) sum += Number(/"savedTokens":(\d{1,12})/.exec(line)?.[1] ?? 0);
  return sum;
}

const COLOURS: Readonly<Record<Level, string>> = { GREEN: "32", YELLOW: "33", ORANGE: "38;5;208", RED: "31" };

/** As wide as the terminal if that is known, and without colours if they are switched off (https://no-color.org). */
export function paintStatus(status: Status, { env, settings }: Pick<HookContext, "env" | "settings">): string {
  const columns = Number(env.COLUMNS);
  const { head, rest } = renderStatusLine(status, columns > 0 ? columns : STATUS_COLUMNS, settings.statusLine);
  return env.NO_COLOR ? `${head}${rest}` : `\u001b[${COLOURS[status.level]}m${head}\u001b[0m${rest}`;
}
