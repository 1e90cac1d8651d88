/** Beginnings of commands that run tests. Package managers may put options between themselves and the script. */
const TEST_COMMANDS: readonly string[] = [
  "uv run pytest",
  "python -m pytest",
  "python3 -m pytest",
  "python -m unittest",
  "poetry run pytest",
  "cargo test",
  "cargo nextest",
  "go test",
  "gotestsum",
  "make test",
  "make check",
  "mise run test",
  "just test",
  "task test",
  "node --test",
  "deno test",
  "dotnet test",
  "mvn test",
  "gradle test",
  "./gradlew test",
  "swift test",
  "mix test",
  "bundle exec rspec",
  "playwright test",
  "turbo test",
  "turbo run test",
  "nx test",
  "pytest",
  "vitest",
  "jest",
  "mocha",
  "rspec",
  "phpunit",
  "tox",
  "ctest",
  "bats",
];
const PACKAGE_TEST =
  /^(?:npm|pnpm|yarn|bun)(?: --?[\w-]{1,40}(?:[= ][\w@/.*-]{1,80})?){0,4} (?:run )?(?:test|t)(?:$|[\s:])/;
const PREFIX =
  /^(?:[A-Z_][A-Z0-9_]{0,60}=\S{0,200} |npx |bunx |pnpm exec |pnpm dlx |yarn exec |sudo |time |timeout \d{1,6}s? )/;
/** Every one of the above has one of these in it: most commands are told apart by this alone. */
const HINT = /test|jest|spec|mocha|tox|bats|check|\bt\b/;
/** Longer commands are scripts, and tests are called at their beginning. */
const SEARCHED_CHARACTERS = 4000;

/** Whether a command runs tests, alone or as a part of a chain such as `cd api && npm test`. */
export function isTestCommand(command: string): boolean {
  const searched = command.slice(0, SEARCHED_CHARACTERS);
  if (!HINT.test(searched)) return false;
  return searched.split(/&&|\|\||[;|\n()]/).some((part) => {
    const words = stripPrefixes(part.trim());
    if (PACKAGE_TEST.test(words)) return true;
    return TEST_COMMANDS.some(
      (start) => words === start || words.startsWith(`${start} `) || words.startsWith(`${start}:`),
    );
  });
}

const CHECKS =
  /(?:^|[\s:])(?:build|lint|typecheck|type-check|check|fmt|format|verify|clippy|vet|tsc|pyright|mypy|ruff)(?:\s|$)/;

/** Whether a command builds, lints or checks types. */
export function isCheckCommand(command: string): boolean {
  return !isTestCommand(command) && CHECKS.test(command.slice(0, SEARCHED_CHARACTERS));
}

function stripPrefixes(command: string): string {
  let rest = command;
  for (let at = 0; at < 6; at++) {
    const next = rest.replace(PREFIX, "");
    if (next === rest) break;
    rest = next;
  }
  return rest;
}
