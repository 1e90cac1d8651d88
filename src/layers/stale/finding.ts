import type { Block } from "../../core/message.ts";

/** A block that may be cleared. */
export interface StaleFinding {
  readonly block: string;
  /** Index of its message. */
  readonly message: number;
  /** Completes "cleared because": `src/a.ts was read again`. */
  readonly why: string;
  /** The later blocks that the reason speaks of: in a conversation that went on otherwise it is no reason. */
  readonly because: readonly Block[];
}

/** Where results stand that are still being worked with. */
export interface Freshness {
  /** Exchanges from this index on are left alone. */
  readonly freshFrom: number;
}
