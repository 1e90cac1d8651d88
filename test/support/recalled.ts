/** One text of an answer of `recall`, without the lines around it. */
export interface Recalled {
  readonly heading: string;
  readonly body: string;
}

const HEADING = /\[([^\n]*): (?:(\d+) characters|characters (\d+) to (\d+) of \d+)\]\n/y;

/**
 * Reads an answer by the numbers in its headings, as nobody could by looks: a text may hold lines that look like ours.
 * Lines that are no heading, such as the one that tells the page, stand alone.
 */
export function parseRecalled(answer: string): readonly Recalled[] {
  const found: Recalled[] = [];
  let at = 0;
  while (at < answer.length) {
    HEADING.lastIndex = at;
    const [head = "", heading = "", count, from, to] = HEADING.exec(answer) ?? [];
    if (head === "") {
      const lineEnd = answer.indexOf("\n", at);
      at = lineEnd < 0 ? answer.length : lineEnd + 1;
      continue;
    }
    const length = count === undefined ? Number(to) - Number(from) + 1 : Number(count);
    const end = at + head.length + length;
    if (!answer.startsWith("\n[end]", end)) throw new Error(`no end after ${length} characters of ${heading}`);
    found.push({ heading, body: answer.slice(at + head.length, end) });
    at = end + "\n[end]\n".length;
  }
  return found;
}

/** The texts of an answer, joined. */
export function bodyOf(answer: string): string {
  return parseRecalled(answer)
    .map(({ body }) => body)
    .join("");
}

/** The texts of all the pages of an answer: several share a page, and what belongs together has one heading. */
export function joinPages(pages: readonly string[]): string {
  const bodies = new Map<string, string>();
  for (const { heading, body } of pages.flatMap(parseRecalled)) bodies.set(heading, (bodies.get(heading) ?? "") + body);
  return [...bodies.values()].join("");
}
