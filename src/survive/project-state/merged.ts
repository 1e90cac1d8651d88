/** A file after something was added to it. */
export interface Merged {
  readonly text: string;
  /** What had to go, as it stood: the caller keeps it elsewhere. */
  readonly evicted: readonly string[];
}
