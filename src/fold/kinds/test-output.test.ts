/** If red: a preview of a test run leaves out a failure or the totals. */
import { expect, it } from "vitest";
import { previewOf, repeat } from "../../../test/support/preview.ts";

const RUNNERS: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    "vitest",
    "npx vitest run",
    `${repeat(80, (n) => ` ✓ src/part-${n}.test.ts (${n} tests) 4ms`)}
 FAIL  src/price.test.ts > adds tax
AssertionError: expected 12 to be 13
 ❯ src/price.test.ts:14:7
${repeat(80, (n) => ` ✓ src/more-${n}.test.ts (${n} tests) 4ms`)}
 Test Files  1 failed | 160 passed (161)
      Tests  1 failed | 640 passed (641)`,
    ["FAIL  src/price.test.ts > adds tax", "expected 12 to be 13", "src/price.test.ts:14:7", "1 failed | 640 passed"],
  ],
  [
    "jest",
    "npm test",
    `${repeat(150, (n) => `PASS src/part-${n}.test.js`)}
FAIL src/price.test.js
  ● adds tax
    Expected: 13
    Received: 12
Tests:       1 failed, 300 passed, 301 total`,
    ["● adds tax", "Expected: 13", "Received: 12", "1 failed, 300 passed, 301 total"],
  ],
  [
    "pytest",
    "pytest -v",
    `${repeat(200, (n) => `tests/test_part.py::test_case_${n} PASSED  [ ${n}%]`)}
tests/test_price.py::test_tax FAILED  [ 99%]
E       assert 12 == 13
=================== 1 failed, 200 passed in 3.21s ===================`,
    ["test_price.py::test_tax FAILED", "assert 12 == 13", "1 failed, 200 passed"],
  ],
  [
    "go",
    "go test ./... -v",
    `${repeat(120, (n) => `=== RUN   TestPart${n}\n--- PASS: TestPart${n} (0.00s)`)}
--- FAIL: TestTax (0.01s)
    price_test.go:41: got 12, want 13
FAIL
FAIL\texample.com/shop\t0.412s`,
    ["--- FAIL: TestTax", "price_test.go:41: got 12, want 13", "FAIL\texample.com/shop"],
  ],
  [
    "cargo",
    "cargo test",
    `running 152 tests
${repeat(150, (n) => `test part::case_${n} ... ok`)}
test price::tax ... FAILED
thread 'price::tax' panicked at src/price.rs:41:9:
test result: FAILED. 151 passed; 1 failed; 0 ignored`,
    ["test price::tax ... FAILED", "panicked at src/price.rs:41:9", "151 passed; 1 failed"],
  ],
  [
    "node:test",
    "node --test",
    `${repeat(150, (n) => `ok ${n} - part ${n}\n  ---\n  duration_ms: 1`)}
not ok 151 - adds tax
# tests 151
# pass 150
# fail 1`,
    ["not ok 151 - adds tax", "# pass 150", "# fail 1"],
  ],
  [
    "maven",
    "mvn test",
    `${repeat(150, (n) => `[INFO] Running com.example.Part${n}Test`)}
[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0 <<< FAILURE!
[ERROR] PriceTest.tax:41 expected: <13> but was: <12>
[INFO] BUILD FAILURE`,
    ["PriceTest.tax:41 expected: <13> but was: <12>", "Failures: 1", "BUILD FAILURE"],
  ],
];

it.each(RUNNERS)("keeps failures and totals of %s, and drops what passed", (_name, command, text, expected) => {
  const { kind, lines } = previewOf(text, { tool: "Bash", command });
  expect(kind).toBe("test output");
  for (const words of expected) expect(lines.join("\n")).toContain(words);
});

it("says how much it left out", () => {
  const { lines } = previewOf(`${repeat(200, (n) => `✓ case ${n}`)}\nTests: 200 passed`, { command: "npx jest" });
  expect(lines[0]).toBe("200 lines of passing tests left out");
});
