import { findErrorLine } from "../fold/error-line.ts";
import { type Action, isChange } from "./action.ts";
import { hasFailed, isAnswered } from "./exit-status.ts";
import {
  type Attempted,
  type AttemptShape,
  isProbe,
  isSameAttempt,
  isWhole,
  nameAttempt,
  shapeAttempt,
} from "./failed-approaches.ts";
import { normalizePath } from "./file-path.ts";
import type { HappeningOf, Tracker } from "./happening.ts";
import { isTestCommand, readTestOutcome, stripPrefixes } from "./test-command.ts";

/** Something that went wrong, and the later call that shows it no longer does. */
export interface ErrorRecord extends Attempted {
  readonly callId: string;
  readonly resolvedBy: string;
  readonly resolvedRequest: number;
  /** Files changed since it first failed, newest last; once it is resolved, they are the fix. */
  readonly editedFiles: readonly string[];
}

interface Known {
  record: ErrorRecord;
  readonly shape: AttemptShape;
}

const MAX_ERRORS = 500;
const MAX_WATCHED = 100;
const MAX_EDITED_FILES = 5;

export function createErrorTracker(saved: readonly ErrorRecord[] = []): Tracker<readonly ErrorRecord[]> {
  let errors: Known[] = saved.map((record) => ({ record, shape: shapeAttempt(record.attempt) }));

  const fail = (record: ErrorRecord): void => {
    const last = errors.findLast(({ record: other }) => other.resolvedBy === "" && other.attempt === record.attempt);
    if (last && last.record.line === record.line) {
      const { callId, request } = record;
      last.record = { ...last.record, callId, request, times: last.record.times + 1 };
    } else errors = [...errors, { record, shape: shapeAttempt(record.attempt) }].slice(-MAX_ERRORS);
  };

  const watched = (): readonly Known[] => errors.slice(-MAX_WATCHED).filter(({ record }) => record.resolvedBy === "");

  /** The same attempt with success proves that the error is gone. */
  const succeed = (attempt: string, resolvedRequest: number, resolvedBy: string): void => {
    const open = watched();
    if (open.length === 0) return;
    const shape = shapeAttempt(attempt);
    for (const known of open)
      if (known.record.attempt === attempt || isSameAttempt(known.shape, shape))
        known.record = { ...known.record, resolvedBy, resolvedRequest };
  };

  const noteEdit = (path: string): void => {
    for (const known of watched()) {
      const files = known.record.editedFiles.filter((file) => file !== path);
      known.record = { ...known.record, editedFiles: [...files, path].slice(-MAX_EDITED_FILES) };
    }
  };

  const followOutcome = ({ action, outcome, request, callId }: HappeningOf<"outcome">): void => {
    const attempt = nameAttempt(action);
    if (isAnswered(action, outcome)) return;
    const isFailed = hasFailed(action, outcome);
    const line = isFailed ? findErrorLine(outcome.text, { isFailed }) : findSilent(action, outcome.text);
    if (isFailed && action.kind === "run" && isProbe(attempt)) return;
    if (line !== "")
      fail({ attempt, line, callId, request, resolvedBy: "", resolvedRequest: 0, times: 1, editedFiles: [] });
    if (isFailed || line !== "") return;
    if (isChange(action)) noteEdit(normalizePath(action.path));
    if (action.kind !== "run" || isShownToWork(action.command, outcome.text)) succeed(attempt, request, callId);
  };

  return {
    follow(happening) {
      if (happening.kind === "outcome" && !happening.outcome.isRefused) followOutcome(happening);
    },
    state: () => errors.map(({ record }) => record),
  };
}

function findSilent(action: Action, text: string): string {
  return action.kind === "run" ? findSilentFailure(action.command, text) : "";
}

/** For tests in a pipe, and anything behind a filter, only the printed text shows success; for counts, a zero. */
function isShownToWork(command: string, text: string): boolean {
  if (/\|\s*(?:wc\b|grep -c\b)[^|]*$/.test(command)) return /^\s*0\s*$/.test(text);
  const needsProof = isTestCommand(command) || /\|\s*(?:e?grep|rg)\b/.test(command);
  return isStatusInformative(command) || !needsProof || readTestOutcome(text, undefined).verdict === "passed";
}

/** Whether files were changed before the same command succeeded. A reworded try, the first line of a script, and a rejected call say nothing about the cause. */
export function isFixKnown({ attempt, resolvedBy, editedFiles }: ErrorRecord): boolean {
  return resolvedBy !== "" && editedFiles.length > 0 && isWhole(attempt) && !/^(?:edit|write|read) /.test(attempt);
}

/** Programs that make, check or run something: an error they print happened now. All others show existing content. */
const DOES =
  /^(?:make|cmake|ninja|just|task|mise|go (?:build|test|vet|run|install|generate|mod)|golangci-lint|cargo|rustc|gcc|g\+\+|clang|cc|tsc|vue-tsc|eslint|biome|prettier|oxlint|ruff|mypy|pyright|pylint|flake8|black|markdownlint|vale|shellcheck|npm (?:t|test|run|ci|i|install|exec|publish)|pnpm|yarn|bun|npx|bunx|turbo|nx|vite|webpack|next|astro|python|ruby|php|node|deno|tsx|uv|poetry|pip|mvn|gradle|javac|java|dotnet|swift|xcodebuild|terraform|docker (?:build|compose|buildx)|git (?:push|merge|rebase|pull|cherry-pick|apply|am|clone)|\.{1,2}\/|~\/)/;
const PREFIX =
  /^(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,200} |sudo |time |env |exec |nohup |timeout (?:-\w{1,9} ){0,2}\d{1,6}[smh]? |xargs |\/(?:\S{1,200}\/)(?=\w)|~\/\.cargo\/bin\/)/;
/** Asking a program for its help or version does not run it. */
const ASKS = / (?:--help|-h|--version|help)(?: |$)/;

/** Lines in which compilers, checkers, package managers, interpreters and shells report a failure. */
const SAYS_FAILED: RegExp = new RegExp(
  [
    /^\S.{0,300}?[:(]\d{1,7}[:,]\d{1,7}\)?:? {0,3}(?:- )?(?:fatal )?error\b/,
    /^(?:vet(?:\.exe)?: )?\S{1,200}\.go:\d{1,7}:\d{1,5}: (?:cannot |undefined|undeclared|missing |too many |not enough |invalid |declared and not used|imported and not used|expected |syntax error|assignment mismatch)/,
    /\bERROR task failed\b|^level=error /,
    /^ {0,3}[1-9]\d{0,6} errors?$/,
    /\berror TS\d{1,6}:/,
    /^ {0,4}\d{1,7}:\d{1,7} {1,9}error {2}\S/,
    /^(?:fatal )?error(?:\[E?\w{1,12}\])?: \S/,
    /^\w{0,12}make(?:\[\d{1,3}\])?: \*\*\* /,
    /^npm (?:ERR!|error) (?!A complete log)|\bELIFECYCLE\b/,
    /^(?:\w{0,8}sh: |\S{1,80}: line \d{1,5}: ).{0,80}command not found|^command not found: /,
    /^Traceback \(most recent call last\):/,
    /^panic: |^thread '.{1,80}' (?:\(\d{1,12}\) )?panicked at /,
    /^fatal: \S|^CONFLICT \(/,
    /^(?:Uncaught )?(?:[\w.]{1,60}\.)?(?:[A-Z]\w{0,60})?Error(?: \[\w{1,60}\])?: \S/,
    /^BUILD FAILED|^Build failed|^Failed to compile|^Compilation failed|^FAILURE: /,
    /^✖ [1-9]\d{0,6} (?:problems? \((?!0 errors)|errors?\b)|^Found [1-9]\d{0,6} errors?\b|^Summary: [1-9]\d{0,6} error/,
    /^ {0,4}(?:FAIL|FAILED|--- FAIL)\b(?!:? 0\b)(?! \(0\))|^ERROR (?:collecting )?\S{1,200}\.\w{1,5}\b|^\[(?:ERROR|error)\] /,
  ]
    .map(({ source }) => `(?:${source})`)
    .join("|"),
);
/** Messages of a shell's start-up file belong to no command; zero counts mean success. */
const NOISE = /\.(?:bashrc|zshrc|profile|bash_profile|zprofile)\b|\b0 errors?\b|^npm (?:warn|notice)/i;
/** After this, a failure above it was fixed in the same command. */
const SAYS_GREEN =
  /^ok\s{1,9}\S|^ {0,3}0 fail$|^test result: ok|^(?:=+ )?\d{1,7} passed\b(?!.{0,100}\bfailed)|^\s{0,9}Tests:? {1,9}\d{1,7} passed\b(?!.{0,100}\bfailed)|^Summary: 0 error|^✖ 0 errors/;

/** Longer output is searched only at both ends. */
const SEARCHED_CHARACTERS = 40_000;
const MAX_LINE = 600;
/** Same limit as for any other error line. */
const MAX_REPORTED = 200;
/** A shorter line such as a bare "FAIL" says only that it failed. */
const INFORMATIVE_CHARACTERS = 10;

/** The line that says what went wrong in a command whose real status was swallowed by a pipe, by `|| true` or by a later command. Empty if nothing did. */
export function findSilentFailure(command: string, text: string): string {
  if (isStatusInformative(command) || !isDoing(command)) return "";
  const lines = searchedPart(text)
    .split("\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' own colour codes are what goes
    .map((line) => line.slice(0, MAX_LINE).replace(/\u001b\[[\d;]{0,20}[A-Za-z]/g, ""));
  const isBad = (line: string): boolean => SAYS_FAILED.test(line) && !NOISE.test(line);
  const last = lines.findLastIndex(isBad);
  if (lines.findLastIndex((line) => SAYS_GREEN.test(line)) > last) return "";
  const isRed = isTestCommand(command) && readTestOutcome(text, undefined).verdict === "failed";
  if (last < 0) return isRed ? findErrorLine(text, { isFailed: true }) : "";
  const bad = lines.filter(isBad).map((line) => line.trim());
  // For an exception its own last line, otherwise the first line that says more than that it failed.
  if (bad.some((line) => line.startsWith("Traceback"))) return findErrorLine(text, { isFailed: true });
  return (bad.find((line) => line.length >= INFORMATIVE_CHARACTERS) ?? bad[0] ?? "").slice(0, MAX_REPORTED);
}

/** Whether a command's status is that of its program: no pipe, no `|| true` and no further command follows. */
function isStatusInformative(command: string): boolean {
  if (command.includes("pipefail")) return true;
  const bare = stripQuoted(command).trim();
  const parts = bare.split(/(?<=&&|\|\||[;\n(])/);
  const at = parts.findLastIndex((part) => isDoer(part));
  const rest =
    at < 0
      ? ""
      : parts
          .slice(at)
          .join("")
          .replace(/\d?>&\d|&>/g, "");
  return !/[;|\n]|&(?!&|\d)/.test(rest);
}

function isDoing(command: string): boolean {
  if (ASKS.test(command)) return false;
  const parts = stripQuoted(command).split(/&&|\|\||[;\n(]/);
  return parts.some(isDoer);
}

function isDoer(part: string): boolean {
  const [head = ""] = part.split("|", 1);
  return DOES.test(stripPrefixes(head, PREFIX)) || isTestCommand(head);
}

/** Text that a script reads or writes is not one of its commands. */
function stripQuoted(command: string): string {
  return command
    .slice(0, 8000)
    .replace(/^\s{0,20}#.{0,2000}$/gm, "")
    .replace(/<<-?\s{0,3}['"]?(\w{1,40})['"]?[\s\S]{0,8000}?\n\1\b/g, " ")
    .replace(/"(?:[^"\\]|\\.){0,4000}"|'[^']{0,4000}'/g, "''");
}

function searchedPart(text: string): string {
  return text.length > SEARCHED_CHARACTERS
    ? `${text.slice(0, SEARCHED_CHARACTERS / 2)}\n${text.slice(-SEARCHED_CHARACTERS / 2)}`
    : text;
}
