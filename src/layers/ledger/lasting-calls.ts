import { type CallMeaning, isInstructionFile } from "../history/vocabulary.ts";

/** What later work refers to: commits, branches, pull requests, releases. */
const LANDMARK =
  /\bgit (?:-\S+ \S+ )*(?:commit|push|merge|rebase|tag|cherry-pick|revert|checkout -[bB]|switch -[cC]|worktree add|stash)\b|\b(?:gh|glab) (?:pr|mr|issue|release) (?:create|merge|close|edit|comment)\b|\bnpm publish\b/;
/** The work goes on elsewhere: another branch, not a file taken back (`git checkout -- a.ts`, `git checkout a.ts`). */
const MOVES =
  /\bgit (?:-\S+ \S+ )*(?:checkout|switch) (?!-|\.{1,2}(?:\s|$)|\S{0,200}\.[a-z]\w{0,4}(?:\s|$))\S{1,200}(?: \d?>\S{1,40})?\s*(?:$|[;&|\n])/;
/** The work goes on in another folder, and the call does nothing else: other commands show their folder in their own line. */
const CHANGES_FOLDER =
  /^\s*(?:cd|pushd) (?!-)(?:"[^"]{1,200}"|'[^']{1,200}'|[^\s;&|]{1,200})\s*(?:(?:&&|;)\s*(?:pwd|ls)(?: -\w{1,8})?\s*)?$/;
/** An issue or a ticket, shown by whichever program: `gh issue view 3`, `jira issue show AB-3`, `issues show 3`, an address of an API. */
const BRIEF_COMMAND =
  /(?:^|[;&|(]\s{0,4}|\s)(?:(?:gh|glab) (?:issue|pr|mr) (?:view|show)|(?:[\w./-]{1,40} )?(?:issues?|tickets?|jira|linear|beads?|bd|tk) (?:show|view|read|get) (?=\S)|(?:gh|glab) api \S{1,120}\/(?:issues|merge_requests|pulls)\/\d{1,9}(?=\s|$))/;
/** A tool that fetches one issue or ticket, such as a server's. */
const BRIEF_TOOL =
  /(?:^|_)(?:get|read|view|show|fetch)_?(?:jira_?)?(?:issue|ticket)s?$|(?:issue|ticket)_(?:read|get|view|show)$/i;
const PLAN_FILE = /(?:[\\/]plans?[\\/][^\\/]+|(?:^|[\\/_.-])plan[^\\/]*)\.(?:md|txt)$/i;
const SHOWS_FILE =
  /^(?:cat|nl|head|tail|sed)(?: -[\w-]{1,10}(?: \d+)?)* (?:'?\d+(?:,[\d$]+)?p'? |"\d+(?:,[\d$]+)?p" )?["']?([^\s"'|;&<>`$*?]+)["']?$/;
const BRIEF_FILE = /(?:^|[\\/_-])(?:plan|spec|issue|ticket|prd|requirements?|brief|task)s?[^\\/]*\.(?:md|txt|json)$/i;

/** Whether a call's outcome is a point in the history that later work refers to. */
export function isLandmark({ command = "" }: CallMeaning): boolean {
  return LANDMARK.test(command) || MOVES.test(command) || CHANGES_FOLDER.test(command);
}

/** The file that a call shows, with whatever tool; empty if it does something else. */
export function findShown({ kind, command = "", path = "" }: CallMeaning): string {
  if (kind === "read") return path;
  return kind === "run" ? (SHOWS_FILE.exec(command.trim())?.[1] ?? "") : "";
}

/** Whether a call reads a task: an issue, a plan, a specification. */
export function isBrief(meaning: CallMeaning, tool: string): boolean {
  const shown = findShown(meaning);
  if (BRIEF_TOOL.test(tool)) return true;
  return BRIEF_COMMAND.test(meaning.command ?? "") || BRIEF_FILE.test(shown) || PLAN_FILE.test(shown);
}

export function isRules(meaning: CallMeaning): boolean {
  const shown = findShown(meaning);
  return isInstructionFile(shown) || /(?:^|[\\/])CONTRIBUTING\.md$/i.test(shown);
}

export function isPlanFile({ kind, path = "" }: CallMeaning): boolean {
  return kind === "write" && PLAN_FILE.test(path);
}

const COMMIT = /^\[[^\]\n]{1,80} [0-9a-f]{7,40}\] .{1,200}$/m;
/** Excludes other people's branches, which a fetch lists. */
const MOVED = /^ {1,4}(?:[*+] )?\[?[\w. ]{4,40}\]? {1,12}\S{1,100} -> (?!origin\/)\S{1,100}/m;
const SWITCHED = /^Switched to (?:a new )?branch '[^'\n]{1,100}'/m;
const ADDRESS = /https?:\/\/\S{4,120}\/(?:pull|issues|merge_requests|releases)\/\S{1,60}/;

/** The lines of a result that name a commit, branch or pull request. */
export function findLandmarks(text: string): readonly string[] {
  const searched = text.slice(0, 20_000);
  const found = [COMMIT, MOVED, SWITCHED, ADDRESS].flatMap((pattern) => searched.match(pattern)?.[0].trim() ?? []);
  return [...new Set(found)];
}

/** The closing totals of test runners, compilers and linters. */
const TOTAL =
  /\b\d{1,7} (?:tests?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|files? changed|vulnerabilities|examples?|specs?|suites?|passes)\b/gi;
/** Characters kept before and after the totals; such a line says little more. */
const MAX_BEFORE_CHARACTERS = 60;
const MAX_BEHIND_CHARACTERS = 100;
const SEARCHED_CHARACTERS = 6000;

/** The totals at the end of a long output; empty if there are none. */
export function findTotal(text: string): string {
  const end = text.slice(-SEARCHED_CHARACTERS);
  // Most outputs have no totals: one search takes a third of the time of one per line.
  if (end.search(TOTAL) < 0) return "";
  return (
    end
      .split(/[\r\n\u2028\u2029]/)
      .findLast(isTotal)
      ?.trim() ?? ""
  );
}

function isTotal(line: string): boolean {
  return [...line.matchAll(TOTAL)].some(
    ({ 0: { length }, index }) =>
      index <= MAX_BEFORE_CHARACTERS && line.length - index - length <= MAX_BEHIND_CHARACTERS,
  );
}
