import { type Excerpt, HEAD } from "../excerpt.ts";
import { type Kind, shareOf } from "../kind.ts";
import { renderAlike, surveyLines } from "../survey-lines.ts";

/** Lines that report events one after another: services, builds, installers, linters. */
export const logKind: Kind = {
  name: "log",
  recognise({ lines, isNumbered }, { path = "" }) {
    if (isNumbered && !/\.(?:log|txt|out|err)$/.test(path)) return 0;
    const stamped = shareOf(lines, STAMP);
    const levels = shareOf(lines, LEVEL);
    const steps = shareOf(lines, STEP);
    const share = Math.max(stamped, levels, steps, (stamped + levels + steps) * 0.6);
    return /\.log$/.test(path) ? 0.9 : share > 0.25 ? Math.min(0.85, 0.3 + share) : 0;
  },
  outline({ lines, isPartial }) {
    const survey = surveyLines(lines);
    const last = lines.findLastIndex((text) => text.trim() !== "");
    const excerpts: Excerpt[] = [];
    const counted = { error: 0, warning: 0 };
    for (const [line, text] of lines.entries()) {
      if (!survey.isFirst(line)) continue;
      const count = survey.countLike(line);
      const trouble = survey.troubleAt(line);
      if (trouble) counted[trouble] += count;
      // Later lines weigh slightly more.
      const plain = line < 2 ? 60 : TOTAL_LINE.test(text) ? 50 : 20 + (line / lines.length) * 10;
      const weight = trouble ? WEIGHTS[trouble] : plain;
      excerpts.push({
        line,
        text,
        remark: renderAlike(count, isPartial),
        weight: survey.isOdd(line) ? Math.max(weight + 2, ODD_WEIGHT) : weight,
      });
    }
    for (let line = Math.max(0, last - 3); line <= last; line++)
      excerpts.push({ line, text: lines[line] ?? "", weight: line === last ? 80 : 58 });
    const head = `${isPartial ? "at least " : ""}${counted.error} lines speak of errors, ${counted.warning} of warnings`;
    return counted.error + counted.warning === 0 ? excerpts : [{ line: HEAD, text: head, weight: 95 }, ...excerpts];
  },
};

const STAMP =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|\w{3} {1,2}\d{1,2} \d\d:\d\d|\d\d\/\d\d\/\d{4}|\[[\w:. -]{1,30}\d\d:\d\d|\S{3,60} \S{1,40} \S{1,40} \[\d\d\/\w{3}\/\d{4}:)/;
const LEVEL =
  /\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|LOG)\b|^(?:npm|warning|error|info)[ :]|\[(?:info|warn|error|debug)\]/;
const STEP =
  /^\s*(?:Compiling|Downloading|Downloaded|Installing|Building|Fetching|Resolving|Checking|Finished|Running|Generating|Created|Removed|Copying|Step \d|#\d{1,3} |> \S+@|\$ |→|✓|✔|•|\[\d+\/\d+\])/;
const TOTAL_LINE =
  /\b(?:total|summary|finished|completed?|done|success(?:ful(?:ly)?)?|built|found \d+|listening|started|version|exit code|exited)\b/i;

const WEIGHTS = { error: 88, warning: 66 } as const;
const ODD_WEIGHT = 64;
