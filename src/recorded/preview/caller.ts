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
  /** A team's files for two workers of about the same weight; `null` for everybody else. */
  readonly split: readonly (readonly string[])[] | null;
}

const ADVICE: Readonly<Record<PreviewCaller, string>> = {
  adversary: "abort, and emit oracle.failed reason=context_budget_exceeded",
  team: "reduce the worker's scope, or split it in 2",
  review: "ask the person to narrow the files under review",
  audit: "reduce the audit to one pack",
};

/** An answer to a block; `files` with the weight of each. */
export function planBlocked(
  caller: PreviewCaller,
  files: readonly { readonly path: string; readonly chars: number }[],
): BlockedAdvice {
  return {
    signal: caller === "adversary" ? "oracle.failed" : null,
    reason: "context_budget_exceeded",
    advice: ADVICE[caller],
    split: caller === "team" && files.length > 1 ? splitInTwo(files) : null,
  };
}

/** The heaviest first, each to the lighter half. */
function splitInTwo(
  files: readonly { readonly path: string; readonly chars: number }[],
): readonly (readonly string[])[] {
  const [left, right]: [string[], string[]] = [[], []];
  let balance = 0;
  for (const { path, chars } of [...files].sort((one, other) => other.chars - one.chars)) {
    const isLeft = balance <= 0;
    (isLeft ? left : right).push(path);
    balance += isLeft ? chars : -chars;
  }
  return [left, right];
}

export function parsePreviewCaller(name: string): PreviewCaller | undefined {
  return PREVIEW_CALLERS.find((caller) => caller === name);
}
