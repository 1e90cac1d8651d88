import { join } from "node:path";
import { isObject } from "../../../core/json.ts";
import { sumContextTokens, type Usage } from "../../../core/usage.ts";
import { writeAtomically } from "../../../files/private-files.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { SESSION_FILES } from "../../../policy/deeds/data-paths.ts";
import { findLoad } from "../clients/claude-code/client.ts";
import type { TailLoad } from "../clients/contract.ts";
import type { HookContext } from "../hook.ts";
import { readTail } from "../session-files.ts";

/** What the transcript's end shows of the window; small, so that a hook of a few milliseconds can keep it. */
export interface HookLoad {
  /** Usage of the last request after the last compaction. */
  readonly usage: Usage | undefined;
  readonly model: string;
  readonly stepId: string;
  readonly version: string;
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

/**
 * The load from what was appended to the transcript since the last look. What is out of reach
 * in between is skipped: its requests are past, and a compaction in it shows in the next usage.
 */
export function readLoad(transcript: string, { folder }: HookContext): HookLoad {
  const file = folder === undefined ? undefined : join(folder, SESSION_FILES.load);
  const saved = file === undefined ? undefined : parseSaved(readObject(file));
  const { text, nextOffset, isSame } = readNewLines(transcript, saved?.offset ?? 0);
  const found = findLoad(text);
  const load = joinLoad(isSame && saved ? saved : emptyHookLoad, found);
  if (file !== undefined && (found.hasNews || !isSame || saved === undefined)) {
    const next: SavedLoad = { ...load, format: 1, offset: nextOffset };
    writeAtomically(file, JSON.stringify(next));
  }
  return load;
}

interface NewLines {
  readonly text: string;
  /** After the last whole line. */
  readonly nextOffset: number;
  /** The file continues from where it was; one that became shorter is a different file. */
  readonly isSame: boolean;
}

function readNewLines(transcript: string, offset: number): NewLines {
  const { bytes, from, size } = readTail(transcript, MAX_TAIL_BYTES, offset);
  const isSame = size >= offset;
  if (!isSame) return { ...readNewLines(transcript, 0), isSame: false };
  const start = from === offset ? 0 : bytes.indexOf(10) + 1;
  const end = bytes.lastIndexOf(10) + 1;
  return { text: bytes.toString("utf8", start, Math.max(start, end)), nextOffset: from + end, isSame };
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

function parseSaved(value: unknown): SavedLoad | undefined {
  return isSaved(value) ? value : undefined;
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
