import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { countField, listField, numberField, objectField, textField } from "../../core/json-fields.ts";
import { writeAtomically } from "../../files/write-file.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import type { HookContext } from "./hook.ts";
import { appendLine, readObject } from "./session-files.ts";

/** What the status line remembers from one drawing to the next. */
export interface SavedReading {
  readonly usedTokens: number | undefined;
  /** By how much the last requests grew, oldest first. */
  readonly growth: readonly number[];
  /** Tokens that folds have saved in this session. */
  readonly foldedTokens: number;
}

const KEPT_GROWTH = 20;
const JOURNALS = [SESSION_FILES.hookDeeds, SESSION_FILES.moduleDeeds] as const;
/** A first look at a long journal reads its end only; later ones what was added. */
const MAX_JOURNAL_BYTES = 1 << 20;

/** What the client tells here and nowhere else is kept for whoever asks later, with the pace and the folds so far. */
export function saveReading(raw: JsonObject, usedTokens: number | undefined, context: HookContext): SavedReading {
  const { folder, nowMs } = context;
  if (folder === undefined) return { usedTokens, growth: [], foldedTokens: 0 };
  const file = join(folder, SESSION_FILES.reading);
  const before = readObject(file) ?? {};
  const model = textField(objectField(raw, "model") ?? {}, "id");
  const growth = followGrowth(before, usedTokens, model);
  const journals = followJournals(folder, objectField(before, "journals") ?? {});
  const foldedTokens = JOURNALS.reduce((sum, name) => sum + countField(journals[name] ?? {}, "folded"), 0);
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
  };
  const limits = JSON.stringify(rate_limits);
  // Between two of these lines a limit has moved: what was spent meanwhile tells what it counts.
  if (rate_limits !== null && limits !== JSON.stringify(before.rate_limits))
    appendLine(join(folder, SESSION_FILES.limits), `{"atMs":${nowMs()},"rate_limits":${limits}}\n`);
  writeAtomically(file, `${JSON.stringify(next)}\n`);
  return { usedTokens, growth, foldedTokens };
}

/** One entry a request: a line that is drawn twice for the same request tells nothing new, nor does a smaller one. */
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

/** Only whole lines count; the rest is read again next time. */
function followJournal(file: string, before: JsonObject): JsonObject {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(handle);
    const known = countField(before, "offset");
    const isSame = known <= size;
    const from = Math.max(isSame ? known : 0, size - MAX_JOURNAL_BYTES);
    const bytes = Buffer.allocUnsafe(size - from);
    const got = bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from));
    const end = got.lastIndexOf(10) + 1;
    const folded = (isSame ? countField(before, "folded") : 0) + sumFolds(got.toString("utf8", 0, end));
    return { offset: from + end, folded };
  } finally {
    closeSync(handle);
  }
}

function sumFolds(text: string): number {
  let sum = 0;
  for (const line of text.split("\n"))
    if (line.includes('"kind":"folded"')) sum += Number(/"savedTokens":(\d{1,12})/.exec(line)?.[1] ?? 0);
  return sum;
}
