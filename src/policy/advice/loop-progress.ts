/** How far a phase of numbered tasks has come. */
export interface LoopProgress {
  /** When it was written down; absent in files of older versions. */
  readonly writtenMs?: number | undefined;
  readonly phase: string;
  /** The number of the task being worked on, from 1. */
  readonly task: number;
  readonly tasks: number;
  readonly completed: readonly string[];
  readonly remaining: readonly string[];
  readonly decisions: readonly string[];
  readonly blockers: readonly string[];
  readonly wipFiles: readonly string[];
}
