/** What must outlive a compaction, handed over whole and word for word: nothing here is shortened or summarised. */
export interface Handover {
  readonly current: CurrentWork;
  readonly filesTouched: readonly string[];
  /** Architectural choices and conventions. */
  readonly decisions: readonly string[];
  /** Tasks not yet started. */
  readonly remainingTasks: readonly string[];
}

export interface CurrentWork {
  readonly task: string;
  readonly phase: string;
}
