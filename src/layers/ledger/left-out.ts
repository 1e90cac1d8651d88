import { clipLine } from "../../core/clip-text.ts";
import { cleanLabel, type LeftOutLine, splitCall } from "./ledger-text.ts";

const MAX_SUBJECT_CHARACTERS = 40;
/** So many subjects of one tool in a row are named. */
const MAX_SUBJECTS = 6;

/** Numbers without a word: neighbours as a range. */
export function joinLeftOut(numbers: readonly number[]): readonly LeftOutLine[] {
  const lines: LeftOutLine[] = [];
  for (const number of numbers) {
    const last = lines.at(-1);
    if (last && number === last.last + 1) lines[lines.length - 1] = { ...last, last: number };
    else lines.push({ first: number, last: number, label: "" });
  }
  return lines;
}

/** A line that leaves the ledger, by its number and as it stood there. */
export interface Leaving {
  readonly number: number;
  readonly call: string;
}

/** What was looked at, tool by tool: `#3-#9 Read plan.md, 3x submit.py; #10 Grep metadata_prefix`. */
export function labelLeftOut(leaving: readonly Leaving[]): readonly LeftOutLine[] {
  const groups: { first: number; last: number; tool: string; subjects: string[] }[] = [];
  for (const { number, call } of leaving) {
    const last = groups.at(-1);
    const [tool, subject] = nameCall(call);
    if (last?.tool === tool && number === last.last + 1) {
      last.last = number;
      last.subjects.push(subject);
    } else groups.push({ first: number, last: number, tool, subjects: [subject] });
  }
  return groups.map(({ first, last, tool, subjects }) => ({ first, last, label: renderLabel(tool, subjects) }));
}

function renderLabel(tool: string, subjects: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const subject of subjects) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  const named = [...counts].filter(([subject]) => subject !== "");
  const shown = named.slice(0, MAX_SUBJECTS).map(([subject, count]) => (count > 1 ? `${count}x ${subject}` : subject));
  return `${tool} ${shown.join(", ")}${named.length > MAX_SUBJECTS ? ", …" : ""}`.trim();
}

/** The tool, and the end of the path or the beginning of the command. */
function nameCall(call: string): readonly [tool: string, subject: string] {
  const [, tool = "", rest = ""] = /^(\S+) ?([\s\S]*)$/.exec(cleanLabel(splitCall(call))) ?? [];
  return [tool.replace(/^mcp__.+__/, ""), clipLine(nameSubject(rest), MAX_SUBJECT_CHARACTERS)];
}

const PATH = /^\S*[\\/]\S*$/;

function nameSubject(rest: string): string {
  if (PATH.test(rest)) return rest.replace(/:\d+-\d*$/, "").replace(/^.*[\\/](?=.)/, "");
  const [, value] = /^\w+: ([^,]*)/.exec(rest) ?? [];
  if (value !== undefined) return value;
  // What a command does stands behind where it is run, and before where its output goes.
  return rest
    .replace(/^(?:cd \S+ && |sleep \d+ && )+/, "")
    .replace(/ 2>(?:&1|\/dev\/null).*$/, "")
    .replace(/ in \S+$/, "");
}
