/** Beginnings of commands that run tests. Package managers may put options between themselves and the script. */
const TEST_COMMANDS: readonly string[] =
  `uv run pytest, python -m pytest, python3 -m pytest, python -m unittest, poetry run pytest, cargo test,
   cargo nextest, go test, gotestsum, make test, make check, mise run test, just test, task test, node --test,
   deno test, dotnet test, mvn test, gradle test, ./gradlew test, swift test, mix test, bundle exec rspec,
   playwright test, turbo test, turbo run test, nx test, pytest, vitest, jest, mocha, rspec, phpunit, tox, ctest,
   bats`.split(/,\s+/);
const PACKAGE_TEST =
  /^(?:npm|pnpm|yarn|bun)(?: --?[\w-]{1,40}(?:[= ][\w@/.*-]{1,80})?){0,4} (?:run )?(?:test|t)(?:$|[\s:])/;
const PREFIX =
  /^(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,200} |npx |bunx |pnpm exec |pnpm dlx |yarn exec |sudo |time |timeout \d{1,6}s? )/;
/** Every one of the above contains one of these, which is enough to rule out most commands. */
const HINT = /test|jest|spec|mocha|tox|bats|check|\bt\b/;
/** Longer commands are scripts, and tests are called at their beginning. */
const SEARCHED_CHARACTERS = 4000;

/** Alone or as a part of a chain such as `cd api && npm test`. */
export function isTestCommand(command: string): boolean {
  const searched = command.slice(0, SEARCHED_CHARACTERS);
  if (!HINT.test(searched)) return false;
  return searched.split(/&&|\|\||[;|\n()]/).some((part) => {
    const words = stripPrefixes(part, PREFIX);
    if (PACKAGE_TEST.test(words)) return true;
    return TEST_COMMANDS.some(
      (start) => words === start || words.startsWith(`${start} `) || words.startsWith(`${start}:`),
    );
  });
}

const CHECKS =
  /(?:^|[\s:])(?:build|lint|typecheck|type-check|check|fmt|format|verify|clippy|vet|tsc|pyright|mypy|ruff)(?:\s|$)/;

export function isCheckCommand(command: string): boolean {
  return !isTestCommand(command) && CHECKS.test(command.slice(0, SEARCHED_CHARACTERS));
}

/** Strips what may go before a program, up to six times. */
export function stripPrefixes(command: string, prefix: RegExp): string {
  let rest = command.trim();
  for (let at = 0; at < 6; at++) rest = rest.replace(prefix, "");
  return rest;
}

export interface TestOutcome {
  readonly passed: number | undefined;
  readonly failed: number | undefined;
  readonly verdict: "passed" | "failed" | "unknown";
}

/** The runners' closing lines: pytest, vitest, jest, mocha, rspec, cargo, bun; node; maven, phpunit; dotnet; unittest. */
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
/** Go prints no totals but a line per package; jest and vitest name failing files this way; pytest counts broken files separately. */
const SAYS_FAILED =
  /^ {0,4}(?:FAIL|--- FAIL|FAILED)\b|^ {0,9}[✘✗✖] |^test result: FAILED|^=+ .{0,200}\b\d{1,7} errors?\b|\bERROR task failed|^error: test failed/m;
const SAYS_PASSED = /^ok\s{1,9}\S|^OK\b|^test result: ok/m;

const TAIL_CHARACTERS = 6000;

/** Read from the end of the output, where every runner puts its totals; the exit status decides if it is known. */
export function readTestOutcome(text: string, exitCode: number | undefined): TestOutcome {
  const tail = text.slice(-TAIL_CHARACTERS);
  const failed = readLast(tail, FAILED);
  const passed = readLast(tail, PASSED);
  return { passed, failed, verdict: decideVerdict(tail, { passed, failed }, exitCode) };
}

/** A status of 0 may be that of `tail` at the end of a pipe, so the runner's own words come first. */
function decideVerdict(
  tail: string,
  { passed = 0, failed = 0 }: Omit<TestOutcome, "verdict">,
  exitCode: number | undefined,
): TestOutcome["verdict"] {
  if (failed > 0 || (exitCode !== undefined && exitCode !== 0) || SAYS_FAILED.test(tail)) return "failed";
  if (passed > 0 || SAYS_PASSED.test(tail)) return "passed";
  return exitCode === 0 && tail.trim() !== "" ? "passed" : "unknown";
}

function readLast(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const last = [...text.matchAll(pattern)].at(-1)?.[1];
    if (last !== undefined) return Number(last);
  }
  return undefined;
}
