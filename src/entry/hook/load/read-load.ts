import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, numberField, objectField, textField } from "../../../core/json.ts";
import { sumContextTokens } from "../../../core/usage.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { appendLine, readNewLines } from "../../../files/read-tail.ts";
import { decideCompactionPoint } from "../../../measure/compaction-point.ts";
import { classifyCalls, classifyMeasured, classifyPercent } from "../../../measure/level.ts";
import { decideModelWindow } from "../../../models/find-model.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { findLoad } from "../clients/claude-code/client.ts";
import type { TailLoad } from "../clients/contract.ts";
import type { HookContext } from "../hook.ts";
import { readLineSettings } from "../status/read-line-settings.ts";
import { locateTrusted } from "../trusted-file.ts";

/** What the transcript's end shows of the window; small, so that a hook of a few milliseconds can keep it. */
export interface HookLoad extends Pick<TailLoad, "usage" | "model" | "stepId" | "version"> {
  /** Compactions seen since the hooks began to look. */
  readonly compactions: number;
  /** Sizes at which the client compacted by itself. */
  readonly autoPreTokens: readonly number[];
  readonly largestContextTokens: number;
}

export const emptyHookLoad: HookLoad = {
  usage: undefined,
  model: "",
  stepId: "",
  version: "",
  compactions: 0,
  autoPreTokens: [],
  largestContextTokens: 0,
};

interface SavedLoad extends HookLoad {
  readonly format: 1;
  readonly offset: number;
}

/** The most that is read, however much the transcript has grown since the last look. */
export const MAX_TAIL_BYTES: number = 256 << 10;
const KEPT_PRE_TOKENS = 10;

/** The model by whose tokenizer and price an injection is weighed; empty if unknown. */
export function findModelId(context: HookContext): string {
  return textField(context.raw, "model") || readOwnLoad(context).model;
}

/** The load of the event's own session; empty if its transcript may not be read. */
export function readOwnLoad(context: HookContext): HookLoad {
  const transcript = locateTrusted(context);
  return transcript === undefined ? emptyHookLoad : readLoad(transcript, context);
}

/** The load from what was appended since the last look. What is out of reach is skipped: its requests are past, and the next usage shows a compaction. */
export function readLoad(transcript: string, { folder }: HookContext): HookLoad {
  const file = folder === undefined ? undefined : join(folder, SESSION_FILES.load);
  const kept: unknown = file === undefined ? undefined : readObject(file);
  const saved = isSaved(kept) ? kept : undefined;
  const { text, nextOffset, isSame } = readNewLines(transcript, MAX_TAIL_BYTES, saved?.offset ?? 0);
  const found = findLoad(text);
  const load = joinLoad(isSame && saved ? saved : emptyHookLoad, found);
  if (file !== undefined && (found.hasNews || !isSame || saved === undefined)) {
    const next: SavedLoad = { ...load, format: 1, offset: nextOffset };
    writeAtomically(file, JSON.stringify(next));
  }
  return load;
}

function joinLoad(before: HookLoad, found: TailLoad): HookLoad {
  const model = found.model || before.model;
  const hasCompacted = found.compactions.length > 0;
  const auto = found.compactions.flatMap(({ trigger, preTokens }) =>
    trigger === "auto" && preTokens !== undefined ? [preTokens] : [],
  );
  return {
    usage: found.usage ?? (hasCompacted ? undefined : before.usage),
    model,
    stepId: found.stepId || before.stepId,
    version: found.version || before.version,
    compactions: before.compactions + found.compactions.length,
    autoPreTokens: [...before.autoPreTokens, ...auto].slice(-KEPT_PRE_TOKENS),
    largestContextTokens: Math.max(
      model === before.model ? before.largestContextTokens : 0,
      found.usage ? sumContextTokens(found.usage) : 0,
    ),
  };
}

/** Our own file in a private folder. */
function isSaved(value: unknown): value is SavedLoad {
  return (
    isObject(value) &&
    value.format === 1 &&
    (value.usage === undefined || isObject(value.usage)) &&
    [value.offset, value.compactions, value.largestContextTokens].every((count) => typeof count === "number") &&
    Array.isArray(value.autoPreTokens)
  );
}

/** Whether the load is GREEN by every table: there is then nothing to weigh, and the exact code need not be loaded. False in every doubt. */
export function isLoadLight(load: HookLoad, context: HookContext): boolean {
  const { profile } = context.settings;
  if (load.usage === undefined || profile === "calls") {
    const { main, before, largeReads } = readCalls(context);
    if (classifyCalls(main - before, largeReads > 0) !== "GREEN") return false;
  }
  if (load.usage === undefined) return true;
  const used = sumContextTokens(load.usage);
  const window = decideModelWindow(load.model, { largestContextTokens: load.largestContextTokens });
  const windowTokens = readWindow(load.model, context) ?? window.windowTokens;
  // For the other profiles, an advisory on the rest of the raw window applies as well.
  if (profile !== "measured" && classifyPercent((used / windowTokens) * 100) !== "GREEN") return false;
  const settings = readLineSettings(context);
  const point = decideCompactionPoint({ ...window, windowTokens }, settings, load.autoPreTokens);
  return classifyMeasured(used, point.tokens) === "GREEN";
}

/** The window size from the client's status line, if that is set up and the model is still the same. */
export function readWindow(model: string, { folder }: HookContext): number | undefined {
  const reading = folder === undefined ? undefined : readObject(join(folder, SESSION_FILES.reading));
  if (reading === undefined || model === "" || textField(reading, "model") !== model) return undefined;
  const tokens = numberField(objectField(reading, "context_window") ?? {}, "context_window_size");
  return tokens !== undefined && tokens > 0 ? tokens : undefined;
}

export interface CallCount {
  /** Calls of the main conversation, failed ones included. Subagents fill their own windows. */
  readonly main: number;
  /** Those before the last compaction. */
  readonly before: number;
  readonly largeReads: number;
}

/** One letter per line: a call of the main conversation, one that read a large file, one of a subagent; a compaction. */
export function countCall({ folder }: HookContext, mark: "m" | "L" | "a" | "C"): void {
  if (folder !== undefined) appendLine(join(folder, SESSION_FILES.calls), `${mark}\n`);
}

export function readCalls({ folder }: HookContext): CallCount {
  const count = { main: 0, before: 0, largeReads: 0 };
  if (folder === undefined) return count;
  for (const mark of readMarks(join(folder, SESSION_FILES.calls))) {
    if (mark === "C") count.before = count.main;
    if (mark === "m" || mark === "L") count.main++;
    if (mark === "L") count.largeReads++;
  }
  return count;
}

function readMarks(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
