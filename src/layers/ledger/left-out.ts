import { clipLine } from "../../core/clip-text.ts";
import { cleanLabel, type LeftOutLine, splitCall } from "./ledger-text.ts";

const MAX_SUBJECT_CHARACTERS = 40;

/** Numbers of lines that are not shown, each with what it was; neighbours of one kind as a range. */
export function joinLeftOut(
  hidden: readonly { readonly number: number; readonly label: string }[],
): readonly LeftOutLine[] {
  const lines: LeftOutLine[] = [];
  for (const { number, label } of [...hidden].sort((one, other) => one.number - other.number)) {
    const last = lines.at(-1);
    const name = cleanLabel(label).replace(/^mcp__.+__/, "");
    if (last && number === last.last + 1 && last.label === name) lines[lines.length - 1] = { ...last, last: number };
    else lines.push({ first: number, last: number, label: name });
  }
  return lines;
}

/** A line that leaves the ledger, by its number and as it stood there. */
export interface Leaving {
  readonly number: number;
  readonly call: string;
}

/** A list of work as it stood once: nobody asks for it later. */
const LIST = /^\S+ \d+ of \d+ done;/;

export function isList(call: string): boolean {
  return LIST.test(call);
}

/** What was looked at, number by number, a tool named where it changes: `#3 Read plan.md; #4-#6 submit.py; #7 Grep prefix`. */
export function labelLeftOut(leaving: readonly Leaving[]): readonly LeftOutLine[] {
  const lines: LeftOutLine[] = [];
  let [lastTool, lastSubject] = ["", ""];
  for (const { number, call } of leaving) {
    const [tool, subject] = isList(call) ? ["", ""] : nameCall(call);
    const last = lines.at(-1);
    const isNext = last !== undefined && number === last.last + 1;
    if (isNext && tool === lastTool && subject === lastSubject) lines[lines.length - 1] = { ...last, last: number };
    else {
      const isNamed = isNext && tool === lastTool && subject !== "";
      lines.push({ first: number, last: number, label: isNamed ? subject : `${tool} ${subject}`.trim() });
    }
    [lastTool, lastSubject] = [tool, subject];
  }
  return lines;
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
