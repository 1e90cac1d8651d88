import { estimateCompatTokens } from "../../measure/compat.ts";
import { estimateTextTokens, SEED_ERROR } from "../../models/tokens.ts";
import { type BundleFile, redactBundle, renderBundle, truncateText } from "./apply-dispatch-caps.ts";

export interface PreviewQuestion {
  readonly caller: string;
  readonly files: readonly PreviewFile[];
  readonly system?: string;
  readonly user?: string;
  /** Asking after the bundle is built defeats the purpose, and is refused. */
  readonly isBundleBuilt?: boolean;
}

/** With a text, the file is measured as it would be sent; with a number of characters, the number is used. */
export type PreviewFile = BundleFile | { readonly path: string; readonly chars: number };

export interface PreviewOptions {
  /** `compat` gates by a quarter of the characters, as the seed does; it ignores the density of code and Chinese. */
  readonly profile?: "calibrated" | "compat";
  /** The caller cuts each file to so many characters. */
  readonly maxFileChars?: number;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

type FileSize = Exclude<PreviewFile, BundleFile>;

/** The signal `context.preview`, with the names of the seed. */
export interface ContextPreview {
  readonly type: "context.preview";
  readonly caller: string;
  /** A quarter of the characters, rounded down, whatever the profile. */
  readonly estimated_tokens: number;
  readonly file_count: number;
  readonly top_5_files_by_size: readonly FileSize[];
  readonly threshold: { readonly warn_at: number; readonly block_at: number };
  readonly action: "proceed" | "warn" | "block";
  readonly total_chars: number;
  readonly calibrated_tokens: number;
  /** 95 of 100 bundles are lighter. */
  readonly upper_tokens: number;
  readonly profile: NonNullable<PreviewOptions["profile"]>;
  readonly gated_tokens: number;
  readonly on_block: BlockedAdvice | null;
  readonly warnings: readonly string[];
}

/** Tokens per character without a text to look at: for code on the older tokenizer, and nearly all code on the newer one. */
const TOKENS_PER_CHAR = 0.36;
const UPPER_TOKENS_PER_CHAR = 0.5;
const TOP_FILES = 5;

/** Whether a bundle may be built. Pure: the entry point records the answer. */
export function previewContext(question: PreviewQuestion, options: PreviewOptions = {}): ContextPreview {
  const caller = PREVIEW_CALLERS.find((known) => known === question.caller);
  if (caller === undefined) throw new TypeError(`caller takes ${PREVIEW_CALLERS.join(", ")}, not "${question.caller}"`);
  if (question.isBundleBuilt === true)
    throw new TypeError("isBundleBuilt: preview a bundle before you build it, not after");
  const { profile = "calibrated", maxFileChars = Number.POSITIVE_INFINITY, environment = {} } = options;
  if (!(maxFileChars >= 0)) throw new TypeError(`maxFileChars takes a number of at least 0, not ${maxFileChars}`);
  if (profile !== "calibrated" && profile !== "compat")
    throw new TypeError(`profile takes calibrated or compat, not "${profile}"`);
  const { files, ...weight } = weigh(question, maxFileChars);
  const estimated = estimateCompatTokens(weight.chars);
  const gated = profile === "compat" ? estimated : weight.upper;
  const { threshold, warnings } = resolveThreshold(caller, environment);
  const action = gated >= threshold.block_at ? "block" : gated >= threshold.warn_at ? "warn" : "proceed";
  return {
    type: "context.preview",
    caller,
    estimated_tokens: estimated,
    file_count: files.length,
    top_5_files_by_size: [...files].sort((left, right) => right.chars - left.chars).slice(0, TOP_FILES),
    threshold: { ...threshold },
    action,
    total_chars: weight.chars,
    calibrated_tokens: weight.tokens,
    upper_tokens: weight.upper,
    profile,
    gated_tokens: gated,
    on_block: action === "block" ? planBlocked(caller, files) : null,
    warnings,
  };
}

/** The rendered bundle with the texts given, plus the characters that are only counted. */
function weigh(question: PreviewQuestion, maxFileChars: number) {
  const redacted = redactBundle({
    system: question.system ?? "",
    user: question.user ?? "",
    files: question.files.map((file) => ({ path: file.path, text: "text" in file ? file.text : "" })),
  });
  const texts = redacted.files.map(({ path, text }) => ({ path, text: truncateText(text, maxFileChars) }));
  const rendered = renderBundle({ ...redacted, files: texts });
  const counts = question.files.map((file) => ("text" in file ? 0 : Math.min(maxFileChars, countOf(file.chars))));
  const counted = counts.reduce((sum, count) => sum + count, 0);
  const seen = Math.max(estimateTextTokens(rendered, "classic"), estimateTextTokens(rendered, "dense"));
  return {
    files: texts.map(({ path, text }, index) => ({ path, chars: text.length + (counts[index] ?? 0) })),
    chars: rendered.length + counted,
    tokens: Math.ceil(seen + counted * TOKENS_PER_CHAR),
    upper: Math.ceil(seen * (1 + SEED_ERROR) + counted * UPPER_TOKENS_PER_CHAR),
  };
}

/** An invalid count is taken as 0. */
function countOf(chars: number): number {
  return Number.isFinite(chars) && chars > 0 ? Math.floor(chars) : 0;
}

/** Ours first; the other one is read only if ours is absent. */
const PREFIXES = ["PLIMSOLL_CONTEXT_THRESHOLDS_", "RUNE_CONTEXT_THRESHOLDS_"] as const;
const FORMAT = /^\s*warn\s*:\s*(\d{1,12})\s*,\s*block\s*:\s*(\d{1,12})\s*$/;

/** A setting that is not understood is reported, and the default holds. */
function resolveThreshold(caller: PreviewCaller, environment: NonNullable<PreviewOptions["environment"]>) {
  const name = PREFIXES.map((prefix) => `${prefix}${caller.toUpperCase()}`).find((known) => environment[known]);
  const standard = { threshold: PREVIEW_THRESHOLDS[caller], warnings: [] };
  if (name === undefined) return standard;
  const threshold = parseThreshold(environment[name] ?? "");
  if (threshold !== undefined) return { threshold, warnings: [] };
  const { warn_at, block_at } = standard.threshold;
  const warning = `${name} is not valid: write warn:${warn_at},block:${block_at}, with warn not above block; until then, these defaults apply`;
  return { ...standard, warnings: [warning] };
}

function parseThreshold(text: string): PreviewThreshold | undefined {
  const [, warn, block] = FORMAT.exec(text) ?? [];
  const [warn_at, block_at] = [Number(warn), Number(block)];
  return block_at > 0 && warn_at <= block_at ? { warn_at, block_at } : undefined;
}

/** Who must ask before building a bundle for another model, and what they do if it is too large. */
export const PREVIEW_CALLERS = ["adversary", "team", "review", "audit"] as const;

export type PreviewCaller = (typeof PREVIEW_CALLERS)[number];

/** In tokens. From `warn_at` on the user is warned; from `block_at` on nothing is sent. */
type PreviewThreshold = ContextPreview["threshold"];

/** A team's threshold is per worker. */
const PREVIEW_THRESHOLDS: Readonly<Record<PreviewCaller, PreviewThreshold>> = {
  adversary: { warn_at: 50_000, block_at: 100_000 },
  team: { warn_at: 30_000, block_at: 80_000 },
  review: { warn_at: 40_000, block_at: 100_000 },
  audit: { warn_at: 60_000, block_at: 120_000 },
};

export interface BlockedAdvice {
  /** The signal to emit; only an oracle has a failure signal of its own. */
  readonly signal: string | null;
  readonly reason: "context_budget_exceeded";
  readonly advice: string;
  /** A team's files split for two workers of about the same weight; `null` for other callers. */
  readonly split: readonly (readonly string[])[] | null;
}

const ADVICE: Readonly<Record<PreviewCaller, string>> = {
  adversary: "abort, and emit oracle.failed reason=context_budget_exceeded",
  team: "reduce the worker's scope, or split it between 2 workers",
  review: "ask the user to review fewer files",
  audit: "reduce the audit to one pack",
};

/** What to do about a block; `files` have the weight of each. */
function planBlocked(caller: PreviewCaller, files: readonly FileSize[]): BlockedAdvice {
  return {
    signal: caller === "adversary" ? "oracle.failed" : null,
    reason: "context_budget_exceeded",
    advice: ADVICE[caller],
    split: caller === "team" && files.length > 1 ? splitInTwo(files) : null,
  };
}

/** The heaviest first, each to the lighter half. */
function splitInTwo(files: readonly FileSize[]): readonly (readonly string[])[] {
  const [left, right]: [string[], string[]] = [[], []];
  let balance = 0;
  for (const { path, chars } of [...files].sort((one, other) => other.chars - one.chars)) {
    const isLeft = balance <= 0;
    (isLeft ? left : right).push(path);
    balance += isLeft ? chars : -chars;
  }
  return [left, right];
}
