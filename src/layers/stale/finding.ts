/** A block that may be cleared. */
export interface Finding {
  readonly block: string;
  /** Index of its message. */
  readonly message: number;
  /** Completes "cleared because": `src/a.ts was read again`. */
  readonly why: string;
}

/** Where results stand that are still being worked with. */
export interface Freshness {
  /** Exchanges from this index on are left alone. */
  readonly freshFrom: number;
}
