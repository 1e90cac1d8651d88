import type { Action, Outcome } from "./action.ts";
import { stripPrefixes } from "./test-command.ts";

/** Statuses by which programs answer a question or report that they wait. They are no failures. */
const ANSWERS: readonly {
  readonly command: RegExp;
  readonly statuses: readonly number[];
  /** With any output the status is another program's. */
  readonly isSilent?: true;
}[] = [
  // Nothing matches.
  { command: /^(?:e?grep|fgrep|zgrep|rg|ag|ack|git grep)\b/, statuses: [1], isSilent: true },
  // Nothing runs, no such program.
  { command: /^(?:pgrep|pkill|killall|lsof|which|command|type)\b/, statuses: [1] },
  // There is a difference, or it is not so.
  { command: /^(?:diff|cmp|colordiff|test|\[)(?=\s)/, statuses: [1] },
  { command: /^git (?:diff|merge-base|diff-index|diff-files)\b.*--(?:exit-code|quiet|is-ancestor)/, statuses: [1] },
  { command: /^git (?:show-ref|rev-parse|config|ls-remote|check-ignore)\b/, statuses: [1, 2] },
  // Checks are still pending.
  { command: /^gh pr checks\b/, statuses: [8] },
  { command: /^(?:curl|wget|nc|ping)\b.*\b(?:localhost|127\.0\.0\.1)/, statuses: [1, 4, 7, 52] },
];
/** Ended from outside: by a time limit, by the user, by a signal. A server always ends so. */
const ENDED: readonly number[] = [124, 130, 137, 141, 143];
const PREFIX =
  /^(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,200} |sudo |time |env |exec |timeout (?:-\w{1,9} ){0,2}\d{1,6}[smh]? |! )/;

/** Whether a call went wrong. A status that only answers a question says neither that it did nor that it went well. */
export function hasFailed(action: Action, outcome: Outcome): boolean {
  return (outcome.isError || (outcome.exitCode ?? 0) !== 0) && !isAnswered(action, outcome);
}

/** Whether the status of a command answers a question. The status is that of its last part. */
export function isAnswered(action: Action, { exitCode, text }: Outcome): boolean {
  if (action.kind !== "run" || exitCode === undefined || exitCode === 0) return false;
  if (ENDED.includes(exitCode)) return true;
  const last =
    action.command
      .trim()
      .slice(-MAX_SEARCHED)
      .split(/&&|\|\||[;|\n]/)
      .at(-1) ?? "";
  const words = stripPrefixes(last, PREFIX);
  const isSaid = text.replace(/^(?:Error: )?Exit code \d{1,10}/, "").trim() !== "";
  return ANSWERS.some(
    ({ command, statuses, isSilent }) =>
      statuses.includes(exitCode) && command.test(words) && !(isSilent === true && isSaid),
  );
}

const MAX_SEARCHED = 2000;
