interface Rule {
  readonly holdsRows: boolean;
  readonly holdsCalls: boolean;
  readonly foldFrom: number;
  readonly isRetelling: boolean;
  readonly opening: string | null;
  saved: number;
  /** Tools that wait behind the client's tool search. */
  readonly deferred: readonly string[];
}

/** What the engine wants to be asked before the client carries on (until it has said so, about everything), and what it has saved. */
export const rule: Rule = {
  holdsRows: true,
  holdsCalls: true,
  foldFrom: 0,
  isRetelling: false,
  opening: null,
  saved: 0,
  deferred: [],
};
