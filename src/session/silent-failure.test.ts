/** If red: a test that failed behind a pipe is taken for a passing one. */
import { describe, expect, it } from "vitest";
import { edits, follow, runs } from "../../test/support/session-story.ts";
import { findSilentFailure } from "./track-errors.ts";

const RED = " FAIL  src/login.test.ts > login\nAssertionError: expected 401 to be 200\n Tests  1 failed | 3 passed (4)";

describe("a failure that ends with status 0", () => {
  it.each([
    ["npm test 2>&1 | tail -5", RED, "FAIL  src/login.test.ts > login"],
    ["make all || true", "cc -c a.c\nmake: *** [Makefile:3: all] Error 1", "make: *** [Makefile:3: all] Error 1"],
    [
      "python3 seed.py; echo done",
      'Traceback (most recent call last):\n  File "seed.py", line 3\nValueError: bad id\ndone',
      "ValueError: bad id",
    ],
    [
      "pytest -q 2>&1 | tail -3",
      "ERROR tests/test_a.py - ImportError: no module\n1 error in 0.1s",
      "ERROR tests/test_a.py - ImportError: no module",
    ],
    ["npx tsc --noEmit | head -20", "src/a.ts(3,1): error TS2322: Type 'x'", "src/a.ts(3,1): error TS2322: Type 'x'"],
    ["go build ./... 2>&1 | head", "a/b.go:3:9: undefined: x", "a/b.go:3:9: undefined: x"],
    ["go test ./... 2>&1 | tail -3", "--- FAIL: TestX (0.0s)\nFAIL\tp/a\t0.1s\nFAIL", "--- FAIL: TestX (0.0s)"],
  ])("[R172] is heard behind %j", (command, text, line) => {
    expect(findSilentFailure(command, text)).toBe(line);
  });

  it.each([
    ["grep -rn error src | head", "src/a.ts:3:1: error: x\nFAILED"],
    ["cat ci.log | tail -50", "FAIL  src/login.test.ts\nnpm ERR! code 1"],
    ["gh run view 3 --log | tail", "Error: Process completed with exit code 1."],
    ["docker logs api 2>&1 | tail", "Error: connect ECONNREFUSED"],
    ["git log --oneline | head", "error: fix the parser"],
    ["npm test 2>&1 | tail -5", " Tests  12 passed (12)"],
    ["npm test", "Error: a text that a passing test prints\n 0 fail"],
    ["npm run lint | tail -3", "✖ 25 problems (0 errors, 25 warnings)"],
    ["npm test -- --help | head", "error: shown in the help"],
    ["go test ./... 2>&1 | tail; git stash pop; go test ./... | tail", "--- FAIL: TestX\nFAIL\nok  \tp/a 0.1s"],
    ["cat > a.sh <<'EOF'\nnpm test | tail\nEOF\ncat a.sh | head", "FAILED: nothing ran"],
  ])("is not heard in what %j shows", (command, text) => {
    expect(findSilentFailure(command, text)).toBe("");
  });

  it("[R172] stands until a later run of the same is green, whatever its pipe", () => {
    const failing = runs("npm test 2>&1 | tail -5", RED);
    expect(follow(failing).errors).toMatchObject([{ attempt: "npm test", resolvedBy: "" }]);
    expect(follow(failing, runs("npm test 2>&1 | grep login", "")).errors).toMatchObject([{ resolvedBy: "" }]);
    expect(
      follow(failing, edits("/p/login.ts"), runs("npm test | tail -30", " Tests  4 passed (4)")).errors,
    ).toMatchObject([{ resolvedBy: "call-2-0", editedFiles: ["/p/login.ts"] }]);
  });

  it("[R172] of a swallowed status is the same attempt as without what swallows it", () => {
    const { errors } = follow(
      runs("make all || true", "make: *** [Makefile:3: all] Error 1"),
      runs("make all", "built"),
    );
    expect(errors).toMatchObject([{ attempt: "make all", resolvedBy: "call-1-0" }]);
  });
});
