/** `undefined` is used for a line without trouble. */
export type Trouble = "error" | "warning";

/** Characters of an identifier or path around a stem. */
const TOKEN_UNIT = /[\w.$/\\@-]/;
const MAX_TOKEN = 80;
/** No preview shows more of a line. */
const MAX_LOOKED = 600;

/**
 * Words of trouble, in any case; the one list for all kinds. The first group is bad, the second may be; the third is bad only with a number
 * other than 0 after it.
 */
const STEM: RegExp = new RegExp(
  [
    "(errors?|err|fatal|panic(?:s|ked)?|exceptions?|fail(?:s|ed|ing|ures?)?|crash(?:ed|es)?|abort(?:ed|ing)?|traceback",
    "|segfault|segmentation fault|core dumped|killed|oom|out of memory|corrupt(?:ed|ion)?|mismatch(?:ed|es)?|invalid|illegal",
    "|denied|refused|rejected|forbidden|unauthori[sz]ed|timed? ?-?_?outs?|unreachable|unhealthy|crashloopbackoff|conflicts?|cannot|can't",
    "|could(?: not|n't)|unable to|not ok|not (?:be )?found|no such (?:file|host|module|table|column|device)|no space left|undefined (?:reference|symbol|method|variable)|unresolved",
    "|missing|unexpected|violat(?:ed|es|ion)|leak(?:ed|s)?|broken|regression|overflow(?:ed)?|deadlock|[✗✕✖❌])",
    "|(warn(?:ings?)?|deprecat(?:ed|ion)|degraded|unsupported|⚠)",
    "|(exit(?:ed)?(?: with)?(?: code| status)?|return(?:ed)? code|exit_?code|status code|non-?zero exit)",
  ].join(""),
  "g",
);

/** Denials before the word: `0 errors`, `no type errors`, `without any warnings`, `no errors or warnings`, `did not fail`. */
const DENIED_BEFORE =
  /(?:^|[^\w.,-])(?:0%?|no|zero|none|nor|without|w\/o|never|not|\w{2,6}n't|free of|prevents?|avoids?|fix(?:ed|es)?|if|on)(?:\s{1,3}[A-Za-z]{1,20}){0,2}[\s:*_`"']{1,4}$/i;
/** Denials after the word: `errors: 0`, `"error": null`, `failures=0`, `fail 0`, `errors | 0`. */
const DENIED_AFTER =
  /^["'`*]{0,2}\s{0,3}(?:[:=|(]\s{0,3})?["'[({]{0,2}(?:0(?:\.0{1,9})?%?(?![\w.]|[,:]\d)|(?:null|none|nil|false|no|undefined|n\/a)\b|(?<=[[({"'])["'\])}])/i;
const NOT_ZERO = /^["']?\s{0,3}[:=(]?\s{0,3}-?[1-9]\d{0,9}\b/;
/** `ENOENT`, `ECONNREFUSED`; a web server's 5xx; the first letter of a klog line. */
const CODE =
  /\bE(?:NOENT|ACCES|PERM|EXIST|PIPE|ISDIR|NOTDIR|NOTEMPTY|MFILE|NOSPC|BUSY|INVAL|ROFS|NOMEM|BADF|SRCH|LOOP|ADDRINUSE|CONN[A-Z]{5,7}|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_[A-Z]{4,8}|LIFECYCLE|RESOLVE|INTEGRITY)\b|\bERR_[A-Z]|" 5\d\d |^[EF]\d{4} \d\d:/;
const WARNING_CODE = /^W\d{4} \d\d:/;

/** A word that is denied, or part of a path or identifier, does not count. */
export function findTrouble(line: string): Trouble | undefined {
  const text = line.length > MAX_LOOKED ? line.slice(0, MAX_LOOKED) : line;
  let found: Trouble | undefined = WARNING_CODE.test(text) ? "warning" : undefined;
  const small = lower(text);
  STEM.lastIndex = 0;
  // Not `matchAll`, which clones the pattern for every line.
  for (let match = STEM.exec(small); match; match = STEM.exec(small)) {
    const [word, error, , counted] = match;
    const at = match.index;
    const end = at + word.length;
    if (counted !== undefined ? !NOT_ZERO.test(text.slice(end, end + 16)) : isDenied(text, at, end)) continue;
    if (!isSaid(text, at, end)) continue;
    if (error !== undefined || counted !== undefined) return "error";
    found = "warning";
  }
  return found === undefined && CODE.test(text) ? "error" : found;
}

/** Case-insensitive patterns take three times as long. If lowering changes the length, positions would no longer fit. */
function lower(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text;
}

function isDenied(text: string, at: number, end: number): boolean {
  return DENIED_BEFORE.test(text.slice(Math.max(0, at - 48), at)) || DENIED_AFTER.test(text.slice(end, end + 16));
}

/** Whether a stem is a word of its own, or of a constant or class named after an error, and not part of another name. */
function isSaid(text: string, at: number, end: number): boolean {
  let from = at;
  while (from > 0 && at - from < MAX_TOKEN && TOKEN_UNIT.test(text.charAt(from - 1))) from--;
  let to = end;
  while (to < text.length && to - end < MAX_TOKEN && TOKEN_UNIT.test(text.charAt(to))) to++;
  if (text.startsWith("::", end) || text.startsWith("::", from - 2)) return false;
  const before = text.slice(from, at);
  const after = text.slice(end, to).replace(/[.-]{1,9}$/, "");
  if (before === "" && after === "") return text.charAt(end) !== "(" || text.charAt(at) < "a";
  // Options, paths and object members.
  if (/^-|[/\\$@]/.test(before + after) || /^\.\w/.test(after)) return false;
  if (
    /^(?:[A-Z0-9_]{0,80}_)?$/.test(before) &&
    /^(?:_[A-Z0-9_]{0,80})?$/.test(after) &&
    /^[A-Z _]{2,40}$/.test(text.slice(at, end))
  )
    return true;
  if (after !== "") return false;
  // `TypeError`, `java.io.IOException`, and not `NOERROR`; `checksum-mismatch`, `build_failed`.
  return /(?:^|\.)[A-Z][A-Za-z0-9]{0,80}$/.test(before)
    ? /^[A-Z][a-z]/.test(text.slice(at, end))
    : /^[a-zA-Z]{2,40}[-_]$/.test(before);
}
