import type { Excerpt } from "../excerpt.ts";
import { type Kind, shareOf } from "../kind.ts";
import { listOdd } from "../odd-rows.ts";
import { surveyLines } from "../survey-lines.ts";

/** Unified diffs, alone or below a commit: `git diff`, `git show`, `diff -u`, patches. */
export const diffKind: Kind = {
  name: "diff",
  recognise({ lines, isNumbered }) {
    if (isNumbered) return 0;
    const heads = lines.filter((line) => FILE.test(line)).length;
    const hunks = lines.filter((line) => HUNK.test(line)).length;
    if (heads + hunks < 2 || hunks === 0) return 0;
    return Math.min(0.97, 0.5 + shareOf(lines, CHANGE) + (heads > 0 ? 0.3 : 0));
  },
  outline({ lines }) {
    const excerpts: Excerpt[] = [];
    const files = countChanges(lines);
    // Among many similar changes, a different one must be seen.
    const odd = new Set(listOdd(surveyLines(lines.map((text) => (CHANGE.test(text) ? text : ""))), MAX_ODD));
    let inHunk = 0;
    for (const [line, text] of lines.entries()) {
      const file = files.get(line);
      if (file) {
        inHunk = 0;
        excerpts.push({ line, text: `${file.name} (+${file.added} -${file.removed})`, weight: 92, cut: 200 });
      } else if (HUNK.test(text)) {
        inHunk = 1;
        excerpts.push({ line, text, weight: 60, cut: 120 });
      } else if (inHunk === 0) {
        if (!NOISE.test(text)) excerpts.push({ line, text, weight: line < 40 ? 62 : 40 });
      } else if (CHANGE.test(text)) {
        const weight = odd.has(line) ? 93 : (isDefinition(text) ? 62 : 50) - Math.min(30, inHunk);
        excerpts.push({ line, text, weight, cut: 120 });
        inHunk++;
      } else if (/^\\|^ /.test(text)) excerpts.push({ line, text, weight: 3, cut: 100 });
      else excerpts.push({ line, text, weight: 30 });
    }
    return excerpts;
  },
};

const MAX_ODD = 3;
const FILE = /^(?:diff --git |Index: |\+\+\+ )/;
const HUNK = /^@@ -\d/;
const CHANGE = /^[+-](?![+-]{2} )/;
const NOISE = /^(?:index [0-9a-f]|new file mode|deleted file mode|similarity|old mode|new mode|--- |\+\+\+ |$)/;

function isDefinition(text: string): boolean {
  return /^[+-]\s*(?:export |pub |public |private |async |static )*(?:function|class|interface|type|def|fn|func|struct|enum|const|var|let)\s/.test(
    text,
  );
}

interface ChangedFile {
  readonly name: string;
  added: number;
  removed: number;
}

/** Added and removed lines of each file, keyed by the line that names the file. */
function countChanges(lines: readonly string[]): ReadonlyMap<number, ChangedFile> {
  const files = new Map<number, ChangedFile>();
  let current: ChangedFile | undefined;
  let isGit = false;
  for (const [line, text] of lines.entries()) {
    const git = /^diff --git a\/.{1,400} b\/(.{1,400})$/.exec(text);
    const plain = !git && !isGit ? /^\+\+\+ (?:b\/)?(\S{1,400})/.exec(text) : null;
    const name = git?.[1] ?? plain?.[1];
    if (name !== undefined) {
      isGit ||= git !== null;
      current = { name, added: 0, removed: 0 };
      files.set(line, current);
    } else if (current && CHANGE.test(text)) {
      if (text.startsWith("+")) current.added++;
      else current.removed++;
    }
  }
  return files;
}
