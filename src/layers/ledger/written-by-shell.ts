/** A file that a command writes out of its own text. */
export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

export interface ShellWriting {
  readonly files: readonly WrittenFile[];
  /** What else the command does; empty where it only writes. */
  readonly rest: string;
}

/** `cat > a <<EOF`, `cat <<EOF > a`, `cat >> a <<EOF`, `tee a <<EOF`: the target stands before or behind the delimiter. */
const HEREDOC =
  /(?<=^|[;\n]|&&)[ \t]{0,20}(?:sudo )?(?:cat|tee(?: -a)?)[ \t]{0,9}(?:>{0,2}[ \t]{0,9}(["']?)([^\s"'<>|&;]{1,300})\1[ \t]{0,9})?<<-?[ \t]{0,9}(["']?)(\w{1,40})\3([^\n]{0,300})\n/g;
const TARGET = /^[ \t]{0,9}>{1,2}[ \t]{0,9}["']?([^\s"'<>|&;]{1,300})["']?/;
const SILENT = /^[ \t]{0,9}>{1,2}[ \t]{0,9}\/dev\/null/;

/** The files that a command writes by here-documents; `undefined` where it writes none. */
export function findWritten(command: string): ShellWriting | undefined {
  const files: WrittenFile[] = [];
  let rest = "";
  let from = 0;
  for (const match of command.matchAll(HEREDOC)) {
    const [opening, , before = "", , delimiter = "", behind = ""] = match;
    if (match.index < from) continue;
    const start = match.index + opening.length;
    const end = findEnd(command, start, delimiter);
    const path = before === "" ? (TARGET.exec(behind)?.[1] ?? "") : before;
    if (end < 0 || path === "") continue;
    files.push({ path, content: command.slice(start, Math.max(start, end - 1)) });
    rest += `${command.slice(from, match.index)}\n${behind.replace(before === "" ? TARGET : SILENT, "")}`;
    const feed = command.indexOf("\n", end);
    from = feed < 0 ? command.length : feed + 1;
  }
  if (files.length === 0) return undefined;
  return { files, rest: trimJoints(rest + command.slice(from)) };
}

/** Where the line with the delimiter begins; -1 where there is none. */
function findEnd(command: string, start: number, delimiter: string): number {
  let at = start;
  while (at <= command.length) {
    const feed = command.indexOf("\n", at);
    const line = command.slice(at, feed < 0 ? command.length : feed);
    if (line.trim() === delimiter) return at;
    if (feed < 0) return -1;
    at = feed + 1;
  }
  return -1;
}

/** Without what only joined it to what was cut out. */
function trimJoints(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^(?:&&|;)+\s*|\s*(?:&&|;)+$/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}
