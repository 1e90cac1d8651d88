/** Who has to ask before building a bundle for another model, and what they do when it is too heavy. */
export const PREVIEW_CALLERS = ["adversary", "team", "review", "audit"] as const;

export type PreviewCaller = (typeof PREVIEW_CALLERS)[number];

/** In tokens. From `warnAt` on the person is told; from `blockAt` on nothing is sent. */
export interface PreviewThreshold {
  readonly warnAt: number;
  readonly blockAt: number;
}

/** A team's is for each worker. */
export const PREVIEW_THRESHOLDS: Readonly<Record<PreviewCaller, PreviewThreshold>> = {
  adversary: { warnAt: 50_000, blockAt: 100_000 },
  team: { warnAt: 30_000, blockAt: 80_000 },
  review: { warnAt: 40_000, blockAt: 100_000 },
  audit: { warnAt: 60_000, blockAt: 120_000 },
};

/** What the caller does instead of dispatching. */
export interface BlockedAdvice {
  /** What to emit; only an oracle has a failure of its own. */
  readonly signal: string | null;
  readonly reason: "context_budget_exceeded";
  readonly advice: string;
  /** A team's files for workers of about the same weight, as many as it takes; `null` for everybody else. */
  readonly split: readonly (readonly string[])[] | null;
}

const ADVICE: Readonly<Record<PreviewCaller, (parts: number) => string>> = {
  adversary: () => "abort, and emit oracle.failed reason=context_budget_exceeded",
  team: (parts) => `reduce the worker's scope, or split it in ${parts}`,
  review: () => "ask the person to narrow the files under review",
  audit: () => "reduce the audit to one pack",
};

/** What was found too heavy. */
interface Blocked {
  readonly tokens: number;
  readonly blockAt: number;
  readonly files: readonly WeighedFile[];
}

interface WeighedFile {
  readonly path: string;
  readonly chars: number;
}

/** An answer to a block. */
export function planBlocked(caller: PreviewCaller, { tokens, blockAt, files }: Blocked): BlockedAdvice {
  const parts = countParts(tokens, blockAt);
  return {
    signal: caller === "adversary" ? "oracle.failed" : null,
    reason: "context_budget_exceeded",
    advice: ADVICE[caller](parts),
    split: caller === "team" && files.length > 1 ? splitFiles(files, Math.min(parts, files.length)) : null,
  };
}

/** The fewest equal parts that are each below the limit; a limit below one token lets nothing through however it is cut. */
function countParts(tokens: number, blockAt: number): number {
  return Math.max(2, Math.floor(tokens / Math.max(1, blockAt)) + 1);
}

/** The heaviest first, each to the worker who has the least. */
function splitFiles(files: readonly WeighedFile[], parts: number): readonly (readonly string[])[] {
  const workers: { readonly paths: string[]; chars: number }[] = Array.from({ length: parts }, () => ({
    paths: [],
    chars: 0,
  }));
  for (const { path, chars } of [...files].sort((one, other) => other.chars - one.chars)) {
    const lightest = workers.reduce((least, worker) => (worker.chars < least.chars ? worker : least));
    lightest.paths.push(path);
    lightest.chars += chars;
  }
  return workers.map(({ paths }) => paths);
}

export function parsePreviewCaller(name: string): PreviewCaller | undefined {
  return PREVIEW_CALLERS.find((caller) => caller === name);
}
