/** If red: an ignore file means something else to Plimsoll than to git. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { needs } from "../../test/support/needs.ts";
import { findIgnored, parseIgnoreRules } from "./gitignore.ts";

function isIgnored(text: string, target: string): boolean {
  const isDirectory = target.endsWith("/");
  return findIgnored(parseIgnoreRules(text), isDirectory ? target.slice(0, -1) : target, { isDirectory }) !== undefined;
}

/** A trailing slash in the path means: it is a directory. */
const TABLE: readonly (readonly [pattern: string, target: string, expected: boolean])[] = [
  ["dist", "dist", true],
  ["dist", "a/dist/b", true],
  ["dist/", "dist", false],
  ["dist/", "dist/", true],
  ["dist/", "a/dist/b", true],
  ["/dist", "dist/a", true],
  ["/dist", "a/dist", false],
  ["a/dist", "a/dist/x", true],
  ["a/dist", "b/a/dist", false],
  ["# note", "# note", false],
  ["\\#note", "#note", true],
  ["\\!note", "!note", true],
  ["a ", "a", true],
  ["a\\ ", "a ", true],
  ["a\\  ", "a ", true],
  ["a\\\\ ", "a\\", true],
  ["a\t", "a", false],
  ["a\r\nb\r\n", "a", true],
  ["\uFEFFa", "a", true],
  ["*.log", "deep/er/x.log", true],
  ["*.log", "x.logs", false],
  ["a*c", "a/c", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["x/*", "x/a/b", true],
  ["x/*/b", "x/a/c/b", false],
  ["**/b", "b", true],
  ["**/b", "a/c/b/d", true],
  ["a/**", "a/b/c", true],
  ["a/**", "a/", false],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "ab", false],
  ["a**b", "axxb", true],
  ["a/b**c/d", "a/bxc/d", true],
  ["a/b**c/d", "a/bx/c/d", false],
  ["a/b**/c", "a/bx/y/c", true],
  ["x/a?c", "x/a/c", false],
  ["x/a[!b]c", "x/a/c", false],
  ["x/a*c", "x/a/c", false],
  ["[a-c]x", "bx", true],
  ["[a-c]x", "dx", false],
  ["[!a-c]x", "dx", true],
  ["[^a-c]x", "ax", false],
  ["[]x]", "]", true],
  ["[a\\]b]", "]", true],
  ["[[:digit:]]", "7", true],
  ["[[:digit:][:upper:]]x", "Qx", true],
  ["[![:space:]]", "a", true],
  ["[[:nonsense:]]", "n", false],
  ["[abc", "[abc", false],
  ["a\\", "a", false],
  ["a\n!a", "a", false],
  ["*\n!a\n!b/", "a", false],
  ["a/\n!a/b", "a/b", true],
  ["a/*\n!a/b", "a/b", false],
  ["!a\na", "a", true],
  ["/", "a", false],
  ["!", "a", false],
  ["", "a", false],
  ["a//", "a/", false],
];

describe("the ignore rules", () => {
  it.each(TABLE)("[R150] with %j say of %j: %j", (pattern, target, expected) => {
    expect(isIgnored(pattern, target)).toBe(expected);
  });

  it("[R150] name the line that decided and the directory it keeps out", () => {
    const match = findIgnored(parseIgnoreRules("# head\n\nvendor/\n"), "a/vendor/b/c.go", { isDirectory: false });
    expect(match?.rule).toMatchObject({ line: "vendor/", lineNumber: 3 });
    expect(match?.excluded).toBe("a/vendor");
  });

  it.each(["*", "*a", "**/", "**/*a", "["])(
    "[R150] take a pattern of 1,000 times %j in time that grows with its length and the path's",
    (piece) => {
      const match = (n: number): unknown => isIgnored(`${piece.repeat(n)}z`, `${"a".repeat(2 * n)}/${"a/".repeat(n)}b`);
      expectProportional(1000, match, { degree: 2 });
    },
  );
});

const hasGit = spawnSync("git", ["--version"]).status === 0;

needs(hasGit, "no git on this machine").describe("beside git", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-ignore-"));
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: tmpdir(),
  };
  if (hasGit) execFileSync("git", ["init", "-q", folder], { env: environment });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The paths exist nowhere, so git takes each for a file and whatever is above it for directories. */
  function askGit(text: string, targets: readonly string[]): readonly string[] {
    writeFileSync(path.join(folder, ".gitignore"), text);
    const { stdout, status } = spawnSync("git", ["check-ignore", "--no-index", "--stdin", "-z"], {
      cwd: folder,
      env: environment,
      input: targets.join("\0"),
      encoding: "utf8",
    });
    expect(status).toBeLessThanOrEqual(1);
    return stdout.split("\0").filter((line) => line !== "");
  }

  const letter = fc.constantFrom("a", "b", "ab", "-", ".", "A", "1", "]", "x y", "\\", "!", "#", "*");
  const name = fc
    .array(letter, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""))
    .filter((text) => !/^\.+$/.test(text));
  const target = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const piece = fc.constantFrom(
    ..."a b ab . - A 1 ] \\ ! # * ** ? / // ** [ab] [!a] [^b-z] [a-] []a] [[:alpha:]] [[:digit:]b] [![:upper:]] [ [[: \\* \\# \\!"
      .split(" ")
      .concat(["/", "/", "*", "**", "/**/", "**/", "/**", " ", "\\ ", "\\/", "a/b"]),
  );
  const pattern = fc
    .tuple(
      fc.constantFrom("", "", "", "!", "/"),
      fc.array(piece, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("", "", "/", " "),
    )
    .map(([head, parts, tail]) => head + parts.join("") + tail);
  const ignoreFile = fc.array(pattern, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));

  it("[R150] every table entry about a file is git's own answer", () => {
    for (const [text, file, expected] of TABLE.filter(([, file]) => !file.endsWith("/"))) {
      expect([text, file, askGit(text, [file]).length === 1]).toEqual([text, file, expected]);
    }
  });

  /** Two letters only, so that patterns with slashes meet paths that they nearly match. */
  const nearTarget = fc.array(fc.constantFrom("a", "b", "ab", "aab"), { minLength: 1, maxLength: 5 });
  const nearPattern = fc
    .array(fc.constantFrom(..."a b / / * ** ? [!a] [ab] /**/ **/ a/b".split(" ")), { minLength: 2, maxLength: 6 })
    .map((parts) => parts.join(""));

  it.each([
    ["any rules", ignoreFile, target],
    ["rules with slashes", nearPattern, nearTarget.map((names) => names.join("/"))],
  ])("[R150] %s leave out what git leaves out", (_, files, paths) => {
    fc.assert(
      fc.property(files, fc.uniqueArray(paths, { minLength: 5, maxLength: 25 }), (text, targets) => {
        const ours = targets.filter((file) => isIgnored(text, file));
        expect(ours).toEqual(askGit(text, targets));
      }),
      { numRuns: tries(30, 300) },
    );
  });
});
