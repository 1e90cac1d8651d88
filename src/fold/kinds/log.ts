import { type Excerpt, HEAD } from "../excerpt.ts";
import { type Kind, shareOf } from "../kind.ts";

/** Lines that report events one after another: services, builds, installers, linters. */
export const logKind: Kind = {
  name: "log",
  names: "pathsAndWords",
  recognise({ lines, isNumbered }, { path = "" }) {
    if (isNumbered && !/\.log$/.test(path)) return 0;
    const stamped = shareOf(lines, STAMP);
    const levels = shareOf(lines, LEVEL);
    const steps = shareOf(lines, STEP);
    const share = Math.max(stamped, levels, steps, (stamped + levels + steps) * 0.6);
    return /\.log$/.test(path) ? 0.9 : share > 0.25 ? Math.min(0.85, 0.3 + share) : 0;
  },
  outline({ lines, isPartial }) {
    const shapes = gatherShapes(lines);
    const last = lines.findLastIndex((text) => text.trim() !== "");
    const excerpts: Excerpt[] = shapes.map(({ line, text, count, weight }) => ({
      line,
      text: count > 1 ? `${text.trimEnd().slice(0, 150)} (×${count})` : text,
      weight: weight || 20 + (line / lines.length) * 10,
    }));
    for (let line = Math.max(0, last - 3); line <= last; line++)
      excerpts.push({ line, text: lines[line] ?? "", weight: line === last ? 80 : 58 });
    const sum = (weight: number): number =>
      shapes.reduce((total, shape) => total + (shape.weight === weight ? shape.count : 0), 0);
    const [errors, warnings] = [sum(ERROR_WEIGHT), sum(WARNING_WEIGHT)];
    const head = `${isPartial ? "at least " : ""}${errors} lines speak of errors, ${warnings} of warnings`;
    return errors + warnings === 0 ? excerpts : [{ line: HEAD, text: head, weight: 95 }, ...excerpts];
  },
};

interface Shape {
  readonly line: number;
  readonly text: string;
  readonly weight: number;
  count: number;
}

/** Lines that differ only in numbers tell the same story: one of each, with how often it was told. */
function gatherShapes(lines: readonly string[]): readonly Shape[] {
  const shapes = new Map<string, Shape>();
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] ?? "";
    if (text.trim() === "") continue;
    const key = text.slice(0, 110).replace(/\d{1,20}/g, "#");
    const shape = shapes.get(key);
    if (shape) shape.count++;
    else shapes.set(key, { line, text, weight: weigh(text.slice(0, 300), line), count: 1 });
  }
  return [...shapes.values()];
}

const STAMP =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|\w{3} {1,2}\d{1,2} \d\d:\d\d|\d\d\/\d\d\/\d{4}|\[[\w:. -]{1,30}\d\d:\d\d)/;
const LEVEL =
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|LOG)\b|^(?:npm|warning|error|info)[ :]|\[(?:info|warn|error|debug)\]/;
const STEP =
  /^\s*(?:Compiling|Downloading|Downloaded|Installing|Building|Fetching|Resolving|Checking|Finished|Running|Generating|Created|Removed|Copying|Step \d|#\d{1,3} |> \S+@|\$ |→|✓|✔|•|\[\d+\/\d+\])/;
const ERROR_LINE =
  /\b(?:errors?|fatal|panic|exception|failed|failure|cannot|could not|unable to|denied|refused|timed? ?out|undefined reference|not found|traceback|segfault)\b|[✗✕❌]|npm ERR/i;
/** `ENOENT`, `ECONNREFUSED`: capitals only. */
const ERROR_CODE = /\bE(?!RROR)[A-Z]{4,12}\b/;
const NO_ERROR = /\b(?:0|no) (?:errors?|failures|failed)\b|error(?:s|_count)?["']?[:=] ?(?:0|null|none|false|\{\})/i;
const WARNING_LINE = /\bwarn(?:ing|ings)?\b|deprecat|⚠/i;
const TOTAL_LINE =
  /\b(?:total|summary|finished|completed?|done|success(?:ful(?:ly)?)?|built|found \d+|listening|started|version|exit code|exited)\b/i;

const ERROR_WEIGHT = 88;
const WARNING_WEIGHT = 66;

/** 0 for an ordinary line: later ones weigh a little more than earlier ones. */
function weigh(text: string, line: number): number {
  if ((ERROR_LINE.test(text) || ERROR_CODE.test(text)) && !NO_ERROR.test(text)) return ERROR_WEIGHT;
  if (WARNING_LINE.test(text)) return WARNING_WEIGHT;
  if (line < 2) return 60;
  return TOTAL_LINE.test(text) ? 50 : 0;
}
