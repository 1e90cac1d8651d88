/** A store's answer: a value, or why there is none. It never throws, because a failed save must not end a session. */
export type StoreResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: StoreProblem };

export interface StoreProblem {
  readonly code: "unsafeFolder" | "unwritable" | "notFound" | "ambiguous" | "corrupt" | "away" | "waits";
  readonly detail: string;
  /** The full hashes that match, if several do. */
  readonly hashes?: readonly string[];
}

export function succeed<Value>(value: Value): StoreResult<Value> {
  return { ok: true, value };
}

export function fail(code: StoreProblem["code"], detail: string, hashes?: readonly string[]): StoreResult<never> {
  return { ok: false, problem: { code, detail, ...(hashes ? { hashes } : {}) } };
}

export function attempt<Value>(code: StoreProblem["code"], run: () => Value): StoreResult<Value> {
  try {
    return succeed(run());
  } catch (error) {
    return fail(code, error instanceof Error ? error.message : String(error));
  }
}
