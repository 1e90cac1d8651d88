/** Of a compaction that the client made by itself: whether this session's finished tasks lie on disk. */
export function describeClientCompaction(taskSummaries: number): string {
  return `the client's own summary; task summaries of this session on disk: ${taskSummaries}`;
}
