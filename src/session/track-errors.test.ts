/** If red: an error that was fixed is listed as open, or an open one is forgotten. */
import { describe, expect, it } from "vitest";
import { calls, edits, follow, runs } from "../../test/support/session-story.ts";
import { findErrorLine } from "../fold/error-line.ts";
import { isSameAttempt, shapeAttempt } from "./failed-approaches.ts";

describe("errors", () => {
  it("[R172] are kept as what was tried and the line that says why", () => {
    const { errors } = follow(
      runs("pytest tests/", "collected 4\nE   AssertionError: expected 200 got 401\n1 failed", { exitCode: 1 }),
    );
    expect(errors).toMatchObject([
      { attempt: "pytest tests/", line: "E   AssertionError: expected 200 got 401", resolvedBy: "" },
    ]);
  });

  it("are resolved by the same attempt that succeeds, with the files changed in between as what resolved them", () => {
    const { errors } = follow(
      runs("npm test -- login", "FAIL login.test.ts", { exitCode: 1 }),
      edits("/p/src/login.ts"),
      runs("npm test -- login --verbose", "3 passed"),
    );
    expect(errors).toMatchObject([{ resolvedBy: "call-2-0", resolvedRequest: 3, editedFiles: ["/p/src/login.ts"] }]);
  });

  it("are resolved also where more than a hundred others stand before them", () => {
    const failing = Array.from({ length: 101 }, (_, at) => runs(`go test ./p${at}`, "FAIL", { exitCode: 1 }));
    const { errors } = follow(...failing, runs("go test ./p100", "ok  p100"));
    expect(errors.filter(({ resolvedBy }) => resolvedBy !== "").map(({ attempt }) => attempt)).toEqual([
      "go test ./p100",
    ]);
  });

  it("are not resolved by the same program on something else", () => {
    const { errors } = follow(
      runs("go test ./api", "FAIL", { exitCode: 1 }),
      runs("go test ./web", "ok  web"),
      runs("go vet ./api"),
    );
    expect(errors.map((error) => error.resolvedBy)).toEqual([""]);
    const placed = runs("cd /p\ngo build ./hull", "error: no such plank", { exitCode: 1 });
    expect(follow(placed, runs("cd /p\ngit log")).errors).toMatchObject([
      { attempt: "go build ./hull", resolvedBy: "" },
    ]);
  });

  it("are not resolved by a count of what is wrong, unless that is nought", () => {
    const failing = runs("npm run check | grep error", "hull.ts(1,1): error TS2304: no plank", { exitCode: 1 });
    const counting = (count: string) => follow(failing, runs("npm run check | grep error | wc -l", count)).errors;
    expect(counting("  11\n").map(({ resolvedBy }) => resolvedBy)).toEqual([""]);
    expect(counting("0\n").map(({ resolvedBy }) => resolvedBy)).not.toEqual([""]);
  });

  it("of a failed edit are resolved by one that works, and of a missing file by its reading", () => {
    const missing = calls(
      "Edit",
      { file_path: "/p/a.ts" },
      "<tool_use_error>String to replace not found in file.</tool_use_error>",
      { isError: true },
    );
    const { errors } = follow(missing, edits("/p/a.ts"));
    expect(errors).toMatchObject([
      { attempt: "edit /p/a.ts", line: "String to replace not found in file.", resolvedBy: "call-1-0" },
    ]);
  });

  it("that come again are counted, not listed again", () => {
    const failing = runs("make build", "error: no rule", { exitCode: 2 });
    const { errors } = follow(
      failing,
      edits("/p/Makefile"),
      failing,
      runs("make build", "error: another", { exitCode: 2 }),
    );
    expect(errors.map(({ line, times, request }) => [line, times, request])).toEqual([
      ["error: no rule", 2, 3],
      ["error: another", 1, 4],
    ]);
  });

  it("do not include the answers of programs that were only asked", () => {
    const { errors } = follow(
      runs("ls /nowhere", "No such file", { exitCode: 2 }),
      runs("grep -r foo src", "", { exitCode: 1 }),
    );
    expect(errors).toEqual([]);
  });

  it("are the last five hundred", () => {
    const { errors } = follow(
      ...Array.from({ length: 510 }, (_, index) => runs(`make part${index}`, "error: x", { exitCode: 1 })),
    );
    expect([errors.length, errors[0]?.attempt]).toEqual([500, "make part10"]);
  });
});

describe("the line that says what went wrong", () => {
  it.each([
    [
      "the exception, not the traceback's head",
      "Traceback (most recent call last):\n  File x\nValueError: bad id",
      "ValueError: bad id",
    ],
    [
      "the exception that ended it, not the one it came from",
      "KeyError: 'id'\n\nDuring handling of the above exception, another exception occurred:\n\nValueError: bad id",
      "ValueError: bad id",
    ],
    ["the compiler's error", "src/a.ts(3,1): error TS2322: Type 'x'", "src/a.ts(3,1): error TS2322: Type 'x'"],
    ["without colours", "\u001b[31mError: boom\u001b[0m", "Error: boom"],
    ["not a count of none", "0 errors\nnpm warn x failed\nBuild could not finish", "Build could not finish"],
    ["the last line where none stands out", "Exit code 1\nfirst thing\nlast thing", "last thing"],
    ["the status alone where there is nothing else", "Exit code 3", "Exit code 3"],
  ])("is %s", (_, text, line) => {
    expect(findErrorLine(text, { isFailed: true })).toBe(line);
  });

  it("is none in a success, whatever it printed", () => {
    expect(findErrorLine("1 failed", { isFailed: false })).toBe("");
  });

  it("is found at either end of an output of any length in no time", () => {
    const text = `${"x".repeat(2_000_000)}\nError: at the end`;
    expect(findErrorLine(text, { isFailed: true })).toBe("Error: at the end");
  });
});

describe("an attempt", () => {
  it.each([
    ["pytest tests/a.py", "pytest tests/a.py -x -q"],
    ["pytest tests/a.py", "pytest"],
    ["npx tsc --noEmit", "tsc"],
    ["cd api && cargo build", "cargo build --release"],
    ["go test ./cli/...", "go test ./..."],
    ['pnpm test -- --grep "the hull"', "pnpm test"],
    ["python -m pytest a b", "uv run pytest b a"],
    ["git push origin main", "git push -u origin main"],
    ['SP="/tmp/x"; omp render --shell', "omp render"],
  ])("%s is tried again by %s", (failed, succeeded) => {
    expect(isSameAttempt(shapeAttempt(failed), shapeAttempt(succeeded))).toBe(true);
  });

  it.each([
    ["pytest", "pytest tests/a.py"],
    ["npm run build", "npm run lint"],
    ["git push", "git status"],
    ["node a.js", "node b.js"],
    ["", ""],
  ])("%s is not tried again by %s", (failed, succeeded) => {
    expect(isSameAttempt(shapeAttempt(failed), shapeAttempt(succeeded))).toBe(false);
  });
});
