import { type Excerpt, HEAD } from "../excerpt.ts";
import { listPrograms } from "../hint.ts";
import type { Kind } from "../kind.ts";
import { surveyLines } from "../survey-lines.ts";

/** What test runners print: vitest, jest, mocha, node:test, bun, pytest, unittest, go, cargo, maven, gradle, rspec, phpunit. */
export const testOutputKind: Kind = {
  name: "test output",
  middle: "trouble",
  recognise({ lines, isNumbered }, { command = "" }) {
    if (isNumbered) return 0;
    const count = Math.max(1, lines.length);
    const summaries = lines.filter((line) => SUMMARY.test(line)).length;
    const isRunner = listPrograms(command).some((name) => RUNNER.test(name));
    if (!isRunner && summaries === 0) return 0;
    const results = lines.filter(isPass).length / count + lines.filter(isFailure).length / count;
    if (isRunner && (summaries > 0 || results > 0.1)) return 0.97;
    if (summaries >= 2 && results > 0.2) return 0.9;
    return results > 0.5 && summaries > 0 ? 0.8 : isRunner ? 0.35 : 0;
  },
  outline({ lines, isPartial }) {
    const excerpts: Excerpt[] = [];
    const survey = surveyLines(lines);
    let passed = 0;
    let sinceFailure = Number.POSITIVE_INFINITY;
    for (const [line, whole] of lines.entries()) {
      const text = whole.slice(0, 400);
      if (text.trim() === "") continue;
      sinceFailure++;
      const isSummary = SUMMARY.test(text);
      if (!isSummary && isFailure(text)) {
        sinceFailure = 0;
        excerpts.push({ line, text, weight: 88 });
      } else if (isSummary) {
        excerpts.push({ line, text, weight: QUIET_SUMMARY.test(text) ? 45 : 95, cut: 140 });
      } else if (isPass(text)) {
        passed++;
        sinceFailure = Number.POSITIVE_INFINITY;
        excerpts.push({ line, text, weight: 8, cut: 90 });
      } else if (DETAIL.test(text)) {
        excerpts.push({ line, text, weight: sinceFailure < NEAR ? 82 - sinceFailure : 60 });
      } else if (sinceFailure < NEAR) excerpts.push({ line, text, weight: 70 - sinceFailure * 2 });
      else {
        const trouble = survey.isFirst(line) ? survey.troubleAt(line) : undefined;
        excerpts.push({ line, text, weight: trouble ? STRAY_WEIGHTS[trouble] : 5, cut: trouble ? 160 : 110 });
      }
    }
    const first = lines.findIndex((text) => text.trim() !== "");
    const head = `${isPartial ? "at least " : ""}${passed} lines of passing tests left out`;
    excerpts.unshift({ line: first, text: lines[first] ?? "", weight: 58 });
    if (passed > 3) excerpts.unshift({ line: HEAD, text: head, weight: 70 });
    return excerpts;
  },
};

/** How many lines after a failure still belong to it. */
const NEAR = 12;
const RUNNER =
  /\b(?:test|tests|vitest|jest|mocha|pytest|unittest|rspec|phpunit|ctest|tox|nox|verify|playwright|cypress|gradlew?|mvnw?|ava|tap)\b/;
const SUMMARY =
  /^\s*(?:Tests?:? {1,9}\d|Test (?:Suites|Files):? |Snapshots?:? {1,9}\d|Tests run:|Test Run |test result:|running \d+ tests?|Ran \d+ tests?|# (?:tests|suites|pass|fail|cancelled|skipped|todo) \d|ℹ (?:tests|pass|fail) \d|BUILD (?:SUCCESS|FAIL)|\[INFO\] BUILD|\[(?:INFO|ERROR|WARNING)\] Tests run:|(?:OK|FAILED) \(|ok {0,4}\t|FAIL\t|FAIL$|PASS$|\d{1,6} (?:passing|failing|pending|passed|failed|pass|fail|skipped|tests?|examples?)\b|\d{1,6} expect\(\) calls|={3,}.{0,200}(?:passed|failed|errors?|skipped|warnings?).{0,80}={3,}$|(?:Error|Failed)s?: {1,4}\d|Duration {1,4}\d|Time: )/;
/** One line per passing package: good to know, but not what readers look for. */
const QUIET_SUMMARY = /^(?:ok {0,4}\t|running |Duration|Time:|\s*Start at)/;
/** Separate from the pattern that matches anywhere: one anchored at the start is done after a few letters. */
const FAILURE_START =
  /^\s*(?:not ok\b|FAIL(?:ED|URE)?[:! ]|--- FAIL|✗|✕|×|❌|✖|\(fail\)|E {3}|FAILED |ERROR[: ]|\[ERROR\]|●|\d{1,4}\) |error\[E|error: |error TS)/;
const FAILURE_INSIDE = /(?:FAILED|ERROR)\s{0,4}(?:\[|$)|<<< (?:FAILURE|ERROR)|panicked at|AssertionError/;
const PASS_START =
  /^\s*(?:ok \d|--- PASS|--- SKIP|=== (?:RUN|PAUSE|CONT|NAME)|✓|✔|√|✅|\(pass\)|PASS\b|PASSED|\[INFO\] Running|\?\s{1,4}\t)/;
const PASS_INSIDE = /\.\.\. ok$|PASSED\s{0,4}(?:\[|$)/;
const DETAIL =
  /^\s*(?:Expected|Received|expected|actual|got|want|assert|Error Trace|Error:|Messages:|left:|right:|diff|[-+] (?:Expected|Received)|Caused by|at \S+ .{0,200}:\d|--> |❯ .{0,200}:\d|File "|>\s{1,6}\d)|Error\b|_test\.go:\d|:\d+:\d+\)?$/;
/** For lines that do not come from the test runner. */
const STRAY_WEIGHTS = { error: 59, warning: 57 } as const;

function isFailure(text: string): boolean {
  return FAILURE_START.test(text) || FAILURE_INSIDE.test(text);
}

function isPass(text: string): boolean {
  return PASS_START.test(text) || PASS_INSIDE.test(text);
}
