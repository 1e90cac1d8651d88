/** What a test run said of itself. */
export interface TestOutcome {
  readonly passed: number | undefined;
  readonly failed: number | undefined;
  readonly verdict: "passed" | "failed" | "unknown";
}

/** The runners' own closing lines: pytest, vitest, jest, mocha, rspec, cargo, bun; node; maven, phpunit; dotnet; unittest. */
const FAILED: readonly RegExp[] = [
  /\b(\d{1,7}) fail(?:ed|ures?|ing)?\b/gi,
  /# fail (\d{1,7})/g,
  /ℹ fail (\d{1,7})/g,
  /\bFailures: {0,9}(\d{1,7})/g,
  /\bFailed: {1,9}(\d{1,7})/g,
  /\bfailures=(\d{1,7})/g,
];
const PASSED: readonly RegExp[] = [
  /\b(\d{1,7}) pass(?:ed|ing)?\b/gi,
  /# pass (\d{1,7})/g,
  /ℹ pass (\d{1,7})/g,
  /\bPassed: {1,9}(\d{1,7})/g,
  /\bRan (\d{1,7}) tests?\b/g,
];
/** Go prints no totals but a line per package; jest and vitest name failing files so; pytest counts broken files apart. */
const SAYS_FAILED =
  /^ {0,4}(?:FAIL|--- FAIL|FAILED)\b|^ {0,9}[✘✗✖] |^test result: FAILED|^=+ .{0,200}\b\d{1,7} errors?\b|\bERROR task failed|^error: test failed/m;
const SAYS_PASSED = /^ok\s{1,9}\S|^OK\b|^test result: ok/m;

const TAIL_CHARACTERS = 6000;

/** Read off the end of the output, where every runner puts its totals; the exit status decides where it is known. */
export function readTestOutcome(text: string, exitCode: number | undefined): TestOutcome {
  const tail = text.slice(-TAIL_CHARACTERS);
  const failed = readLast(tail, FAILED);
  const passed = readLast(tail, PASSED);
  return { passed, failed, verdict: decideVerdict(tail, { passed, failed, exitCode }) };
}

interface Counts {
  readonly passed: number | undefined;
  readonly failed: number | undefined;
  readonly exitCode: number | undefined;
}

/** A status of 0 may be that of `tail` at the end of a pipe: what the runner says comes first. */
function decideVerdict(tail: string, { passed, failed, exitCode }: Counts): TestOutcome["verdict"] {
  if ((failed ?? 0) > 0 || (exitCode !== undefined && exitCode !== 0) || SAYS_FAILED.test(tail)) return "failed";
  if ((passed ?? 0) > 0 || SAYS_PASSED.test(tail)) return "passed";
  return exitCode === 0 && tail.trim() !== "" ? "passed" : "unknown";
}

function readLast(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const last = [...text.matchAll(pattern)].at(-1)?.[1];
    if (last !== undefined) return Number(last);
  }
  return undefined;
}
