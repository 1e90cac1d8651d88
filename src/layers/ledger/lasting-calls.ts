import type { CallMeaning } from "../history/vocabulary.ts";

/** What a history is told by: commits, branches, pull requests, releases. */
const LANDMARK =
  /\bgit (?:-\S+ \S+ )*(?:commit|push|merge|rebase|tag|cherry-pick|revert|checkout -[bB]|switch -[cC]|worktree add|stash)\b|\b(?:gh|glab) (?:pr|mr|issue|release) (?:create|merge|close|edit|comment)\b|\bnpm publish\b/;
/** The text of what is to be done, wherever it is kept. */
const BRIEF_COMMAND = /\b(?:gh|glab) (?:issue|pr|mr) view\b/;
/** Where a plan is written down before it is carried out. */
const PLAN_FILE = /(?:[\\/]plans?[\\/][^\\/]+|(?:^|[\\/_.-])plan[^\\/]*)\.(?:md|txt)$/i;
/** What binds all work in a repository. */
const RULES_FILE = /(?:^|[\\/])(?:AGENTS|CLAUDE|GEMINI|CONTRIBUTING|copilot-instructions)\.md$/i;
/** A command that shows one file and does nothing else. */
const SHOWS_FILE =
  /^(?:cat|nl|head|tail|sed)(?: -[\w-]{1,10}(?: \d+)?)* (?:'?\d+(?:,[\d$]+)?p'? |"\d+(?:,[\d$]+)?p" )?["']?([^\s"'|;&<>`$*?]+)["']?$/;
const BRIEF_FILE = /(?:^|[\\/_-])(?:plan|spec|issue|ticket|prd|requirements?|brief|task)s?[^\\/]*\.(?:md|txt|json)$/i;

/** Whether what came of a call is a place in the history that later work refers to. */
export function isLandmark({ command = "" }: CallMeaning): boolean {
  return LANDMARK.test(command);
}

/** The file that a call shows, by whatever tool; empty where it does something else. */
export function findShown({ kind, command = "", path = "" }: CallMeaning): string {
  if (kind === "read") return path;
  return kind === "run" ? (SHOWS_FILE.exec(command.trim())?.[1] ?? "") : "";
}

/** Whether a call reads what is to be done: an issue, a plan, a specification. */
export function isBrief(meaning: CallMeaning): boolean {
  const shown = findShown(meaning);
  return BRIEF_COMMAND.test(meaning.command ?? "") || BRIEF_FILE.test(shown) || PLAN_FILE.test(shown);
}

/** Whether a call reads the rules of a repository. */
export function isRules(meaning: CallMeaning): boolean {
  return RULES_FILE.test(findShown(meaning));
}

/** Whether a call writes a plan down. */
export function isPlanFile({ kind, path = "" }: CallMeaning): boolean {
  return kind === "write" && PLAN_FILE.test(path);
}

const COMMIT = /^\[[^\]\n]{1,80} [0-9a-f]{7,40}\] .{1,200}$/m;
/** Not what a fetch brings of everybody's branches. */
const MOVED = /^ {1,4}(?:[*+] )?\[?[\w. ]{4,40}\]? {1,12}\S{1,100} -> (?!origin\/)\S{1,100}/m;
const ADDRESS = /https?:\/\/\S{4,120}\/(?:pull|issues|merge_requests|releases)\/\S{1,60}/;

/** The lines of a result by which a place in the history is known: the commit, the branch, the pull request. */
export function findLandmarks(text: string): readonly string[] {
  const searched = text.slice(0, 20_000);
  const found = [COMMIT, MOVED, ADDRESS].flatMap((pattern) => searched.match(pattern)?.[0].trim() ?? []);
  return [...new Set(found)];
}

/** How runners, compilers and linters close: what they counted. */
const TOTAL =
  /\b\d{1,7} (?:tests?|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|files? changed|vulnerabilities|examples?|specs?|suites?|passes)\b/gi;
/** Such a line says little more: so much before what was counted, and so much behind it. */
const MAX_BEFORE_CHARACTERS = 60;
const MAX_BEHIND_CHARACTERS = 100;
const SEARCHED_CHARACTERS = 6000;

/** What a long output counted, read off its end; empty where it counted nothing. */
export function findTotal(text: string): string {
  const end = text.slice(-SEARCHED_CHARACTERS);
  // Most outputs count nothing: one search is a third of the time of one in every line.
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
