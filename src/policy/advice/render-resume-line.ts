import { toOneLine } from "../../core/clip-text.ts";

export interface ResumePoint {
  readonly phase: string;
  /** Numbers of the completed tasks, in any order. */
  readonly completedTasks: readonly number[];
  readonly task: number;
  readonly planFile: string;
}

/** The line that brings a phase back after a compaction in its middle. Its format is a contract. */
export function renderResumeLine({ phase, completedTasks, task, planFile }: ResumePoint): string {
  const completed = completedTasks.length === 0 ? "none" : renderRanges(completedTasks);
  return `Resuming Phase ${toOneLine(phase)}. Tasks [${completed}] complete. Currently on task ${task}. Plan file: ${toOneLine(planFile)}`;
}

/** `1-3, 5`. */
function renderRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of [...new Set(numbers)].sort((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}
