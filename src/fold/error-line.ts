const MAX_LINE_CHARACTERS = 200;
/** Longer output is searched only at both ends, where tools put what went wrong. */
const SEARCHED_CHARACTERS = 20_000;
/** A longer line is data, and its beginning is enough. */
const MAX_SEARCHED_LINE = 1000;

/** How an exception ends a traceback: this line says what happened, the first one only that something did. */
const EXCEPTION = /^(?:E {2,}|[\w.]{0,80}(?:Error|Exception|Exit)\b: ?)/;
/** Signs of an error at the start of a line or as a word of their own, strongest first. */
const STRONG =
  /^\s{0,20}(?:error(?:\[\w{1,20}\])?:|Error:|ERROR\b|fatal:|panic:|FAIL\b|FAILED\b|--- FAIL|Uncaught |[A-Z]\w{0,60}(?:Error|Exception)\b)|\berror(?: TS\d{1,6}|\[E\d{1,6}\])?:|: error[: ]|command not found|No such file or directory|[Pp]ermission denied|AssertionError|✗|✘|× /;
const WEAK =
  /\b(?:failed|failure|fail|cannot|can't|could not|unable to|not found|undefined|denied|invalid|refused|timed out|missing|conflict|unknown option|unexpected|rejected)\b/i;
/** Lines that report zero failures, or only announce a search for them. */
const HARMLESS =
  /\b0 (?:errors?|failed|failures?)\b|\b(?:errors?|fail(?:ed|ing|ures?)?)["']?\s{0,3}[:=|]?\s{0,3}0(?![\d.])|^\s{0,20}(?:={3,}|-{3,})|^Exit code \d{1,10}\s{0,20}$|^\s{0,20}npm (?:warn|notice)|^\s{0,20}(?:hint|warning):|^\s{0,20}This tool['’]s schema was not sent\b/i;

/** The line of an output that says what went wrong. A successful command is not searched: "1 failed" in its output is content. */
export function findErrorLine(text: string, { isFailed }: { readonly isFailed: boolean }): string {
  if (!isFailed) return "";
  const { sign, lines } = findSign(text);
  const informative = lines.filter(isInformative);
  const found = sign || (informative.at(-1) ?? lines[0] ?? "");
  // A line that ends in a colon introduces the next one.
  const next = found.trimEnd().endsWith(":") ? (lines[lines.indexOf(found) + 1] ?? "") : "";
  return `${found.trim()} ${next.trim()}`.trim().slice(0, MAX_LINE_CHARACTERS);
}

/** Whether a line of a failed output says what went wrong. If none does, only the exit code is known. */
export function hasErrorSign(text: string): boolean {
  return findSign(text).sign !== "";
}

function isInformative(line: string): boolean {
  return !HARMLESS.test(line) && /\S\s\S|\S{12}/.test(line);
}

function findSign(text: string): { readonly sign: string; readonly lines: readonly string[] } {
  const searched =
    text.length > SEARCHED_CHARACTERS
      ? `${text.slice(0, SEARCHED_CHARACTERS / 2)}\n${text.slice(-SEARCHED_CHARACTERS / 2)}`
      : text;
  const lines = searched
    .split("\n")
    .map((line) => cleanLine(line.slice(0, MAX_SEARCHED_LINE)))
    .filter((line) => line.trim() !== "");
  const informative = lines.filter(isInformative);
  const sign =
    informative.findLast((line) => EXCEPTION.test(line)) ??
    informative.find((line) => STRONG.test(line)) ??
    informative.find((line) => WEAK.test(line)) ??
    "";
  return { sign, lines };
}

/** Without colours and without the host's tags. */
function cleanLine(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals' own colour codes are what goes
  return line.replace(/\u001b\[[\d;]{0,20}[A-Za-z]|<\/?tool_use_error>/g, "");
}
