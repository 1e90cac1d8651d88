/** The wanted part of a stored output. Without any criterion, all of it. */
export interface LineSelection {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Counted from 1. */
  readonly page?: number | undefined;
  readonly isMatch?: ((line: string) => boolean) | undefined;
}

export interface SelectedLines {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  readonly totalLines: number;
  readonly pages: number;
}

const LINES_PER_PAGE = 200;

/** Lines by range, then those that match, then a page of these. Line numbers are those of the original output. */
export function selectLines(text: string, { from = 1, to, page, isMatch }: LineSelection = {}): SelectedLines {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const matching = all
    .map((line, index) => ({ number: index + 1, text: line }))
    .slice(Math.max(0, from - 1), to)
    .filter((line) => isMatch === undefined || isMatch(line.text));
  const pages = Math.max(1, Math.ceil(matching.length / LINES_PER_PAGE));
  const lines = page === undefined ? matching : matching.slice((page - 1) * LINES_PER_PAGE, page * LINES_PER_PAGE);
  return { lines, totalLines: all.length, pages };
}
