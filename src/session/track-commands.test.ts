/** If red: commands are recorded with the wrong outcome, or test runs are not recognised. */
import { describe, expect, it } from "vitest";
import { calls, follow, runs } from "../../test/support/session-story.ts";
import { isTestCommand, readTestOutcome } from "./test-command.ts";

describe("commands", () => {
  it("are kept with the status they ended with", () => {
    const { commands } = follow(
      runs("ls"),
      runs("false", "", { exitCode: 3 }),
      calls("Bash", { command: "sleep 99" }, "Running in background", { detail: { backgroundTaskId: "b1" } }),
      calls("Bash", { command: "old" }, "no status in old clients", { isError: true }),
    );
    expect(commands.map(({ command, exitCode, isFailed }) => [command, exitCode, isFailed])).toEqual([
      ["ls", 0, false],
      ["false", 3, true],
      ["sleep 99", undefined, false],
      ["old", undefined, true],
    ]);
  });

  it("that were refused or never allowed are none", () => {
    const refused = calls("Bash", { command: "rm -rf /" }, "This command requires approval", { isError: true });
    expect(follow(refused).commands).toEqual([]);
    expect(follow(refused).errors).toEqual([]);
  });

  it("are the last thousand", () => {
    const { commands } = follow(...Array.from({ length: 1005 }, (_, index) => runs(`echo ${index}`)));
    expect([commands.length, commands[0]?.command]).toEqual([1000, "echo 5"]);
  });
});

describe("a test command", () => {
  it.each([
    "pytest",
    "npm test",
    "npm run test",
    "bun test",
    "uv run pytest -x",
    "python -m pytest tests/",
    "jest --ci",
    "cargo test --all",
    "go test ./...",
    "make test",
    "vitest run",
    "cd api && npx vitest run src",
    "CI=1 pnpm --filter api test:unit",
    "(source .venv/bin/activate && pytest)",
    "timeout 60 mise run test:ci 2>&1 | tail -5",
  ])("[R170] is recognised: %s", (command) => {
    expect(isTestCommand(command)).toBe(true);
  });

  it.each([
    "git commit -m 'npm test passes'",
    "cat test.ts",
    "npm run testify",
    "ls tests",
    "echo pytest",
    "npm install jest",
  ])("is not seen in: %s", (command) => {
    expect(isTestCommand(command)).toBe(false);
  });
});

describe("a test run", () => {
  it.each([
    ["vitest", "Test Files  1 failed | 3 passed (4)\n     Tests  2 failed | 40 passed (42)", 0, [40, 2, "failed"]],
    ["jest", "Test Suites: 3 passed, 3 total\nTests:       12 passed, 12 total", 0, [12, undefined, "passed"]],
    ["pytest", "=== 1 failed, 9 passed in 0.5s ===", 1, [9, 1, "failed"]],
    ["pytest that cannot collect", "=== 2 errors in 0.31s ===", undefined, [undefined, undefined, "failed"]],
    ["go", "ok  \tgithub.com/x/y\t0.3s", undefined, [undefined, undefined, "passed"]],
    ["go failing", "--- FAIL: TestX (0.00s)\nFAIL\tgithub.com/x/y", undefined, [undefined, undefined, "failed"]],
    ["cargo", "test result: ok. 5 passed; 0 failed; 0 ignored", 0, [5, 0, "passed"]],
    ["node", "# pass 7\n# fail 1", 1, [7, 1, "failed"]],
    ["unittest", "Ran 4 tests in 0.1s\n\nOK", 0, [4, undefined, "passed"]],
    ["dotnet", "Failed!  - Failed:     1, Passed:    19, Skipped: 0", 1, [19, 1, "failed"]],
    ["nothing", "", 0, [undefined, undefined, "unknown"]],
    ["a killed one", "running 5 tests", undefined, [undefined, undefined, "unknown"]],
  ] as const)("of %s says how it ended", (_, text, exitCode, [passed, failed, verdict]) => {
    expect(readTestOutcome(text, exitCode)).toEqual({ passed, failed, verdict });
  });

  it("at the end of a pipe is not green because the pipe was, unless the pipe fails with it", () => {
    const { commands } = follow(
      runs("npm test 2>&1 | tail -1", "Done in 3s"),
      runs("npm test", "Done in 3s"),
      runs("set -o pipefail; npm test 2>&1 | tail -1", "Done in 3s"),
    );
    expect(commands.map(({ tests }) => tests?.verdict)).toEqual(["unknown", "passed", "passed"]);
  });
});
