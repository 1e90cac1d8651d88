/** What stands behind a line that there are others like: true whether or not some of them are shown too. */
export function renderAlike(count: number, isPartial: boolean): string {
  return count < 2 ? "" : ` (${isPartial ? "at least " : ""}${count} lines like this)`;
}
