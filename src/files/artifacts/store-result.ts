/** What a store answers: a value, or why there is none. It never throws at a session that only wanted to save something. */
export type StoreResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: StoreProblem };

export interface StoreProblem {
  readonly code: "unsafeFolder" | "unwritable" | "notFound" | "ambiguous" | "corrupt" | "away" | "waits";
  /** One sentence for the person. */
  readonly detail: string;
  /** The whole hashes that fit, where several do. */
  readonly hashes?: readonly string[];
}

export function succeed<Value>(value: Value): StoreResult<Value> {
  return { ok: true, value };
}

export function fail(
  code: StoreProblem["code"],
  detail: string,
  hashes?: readonly string[],
): { readonly ok: false; readonly problem: StoreProblem } {
  return { ok: false, problem: { code, detail, ...(hashes ? { hashes } : {}) } };
}

/** Runs what may fail on a disk. */
export function attempt<Value>(code: StoreProblem["code"], run: () => Value): StoreResult<Value> {
  try {
    return succeed(run());
  } catch (error) {
    return fail(code, error instanceof Error ? error.message : String(error));
  }
}
