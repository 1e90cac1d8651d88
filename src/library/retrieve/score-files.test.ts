/** If red: files that have little to do with a task are ranked above those that it needs. */
import { describe, expect, it } from "vitest";
import { profileFile } from "./file-profile.ts";
import { scoreFiles } from "./score-files.ts";

function score(
  files: Readonly<Record<string, string>>,
  keywords: string,
  discovered = "",
): Readonly<Record<string, number>> {
  const profiles = Object.entries(files).map(([path, text]) => profileFile(path, text));
  const split = (words: string): readonly string[] => words.split(" ").filter((word) => word !== "");
  const scores = scoreFiles(profiles, { keywords: split(keywords), discovered: split(discovered) });
  return Object.fromEntries(scores.map(({ path, score: value }) => [path, value]));
}

describe("the score of a file", () => {
  it("[R38] is 0 without any of the words and 1 with all of them in every place", () => {
    const scores = score(
      { "a.ts": "nothing", "retry.ts": `export function retry() {}\n${"retry ".repeat(50)}` },
      "retry",
    );
    expect(scores).toEqual({ "retry.ts": 1, "a.ts": 0 });
  });

  it("[R38] is never high for words in the text alone, nor for half of the task", () => {
    const scores = score(
      {
        "a.ts": "retry upload ".repeat(1000),
        "retry.ts": `function retry() {}\n${"retry ".repeat(500)}`,
        "upload.md": "upload",
      },
      "retry upload",
    );
    expect(scores["a.ts"]).toBeLessThan(0.7);
    expect(scores["retry.ts"]).toBeLessThan(0.7);
  });

  it("[R40] is behind its source's for a test, and never high, unless tests are asked for", () => {
    const files = ["src/cart-total.ts", "src/cart-total.test.ts", "tests/test_cart_total.py"].map((path) =>
      profileFile(path, `export const cartTotal = 1;\n${"cart total ".repeat(20)}`),
    );
    const keywords = ["cart", "total"];
    const scored = scoreFiles(files, { keywords, discovered: [] });
    expect(scored[0]?.path).toBe("src/cart-total.ts");
    expect(scored.filter(({ score: value }) => value >= 0.7)).toHaveLength(1);
    expect(
      scoreFiles(files, { keywords, discovered: [], isAboutTests: true }).filter(({ score: value }) => value >= 0.7),
    ).toHaveLength(3);
  });

  it("[R38] is high for a file that the task names, however few of its words it has", () => {
    const files = ["src/cli/index.ts", "src/api/index.ts"].map((path) => profileFile(path, "start();"));
    const [first, second] = scoreFiles(files, { keywords: ["evaluate"], discovered: [], named: ["cli/index.ts"] });
    expect([first?.path, first?.score]).toEqual(["src/cli/index.ts", 0.8]);
    expect(second?.score).toBe(0);
  });

  it("[R38] grows with a name, a folder, a definition and the number of times", () => {
    const bare = {
      "x.ts": "retry",
      "y.ts": "retry retry retry",
      "retry/z.ts": "retry",
      "z.ts": "const retry",
      "retry.ts": "retry",
    };
    const scores = score({ ...bare, "none.ts": "" }, "retry");
    const [none, once] = [scores["none.ts"] ?? 1, scores["x.ts"] ?? 0];
    expect(once).toBeGreaterThan(none);
    for (const path of ["y.ts", "retry/z.ts", "z.ts", "retry.ts"]) expect(scores[path]).toBeGreaterThan(once);
  });

  it("[R38] counts a rare word more than one that every candidate has", () => {
    const scores = score({ "a.ts": "common", "b.ts": "common", "c.ts": "common", "d.ts": "rare" }, "common rare");
    expect(scores["d.ts"]).toBeGreaterThan(scores["a.ts"] ?? 1);
  });

  it("[R38] is not had by length: a bundle of everything defines every word", () => {
    const filler = Array.from({ length: 40_000 }, (_, index) => `const name${index} = 1;`).join("\n");
    const scores = score(
      { "bundle.js": `const retry = 1; retry(); ${filler}`, "wait.ts": "const retry = 1; retry();" },
      "retry",
    );
    expect(scores["bundle.js"]).toBeLessThan((scores["wait.ts"] ?? 0) / 2);
  });

  it("[R39] adds what discovered names show to what the task's own words left open", () => {
    const files = { "a.ts": "export function backOff() {}", "b.ts": "retry" };
    expect(score(files, "retry")["a.ts"]).toBe(0);
    expect(score(files, "retry", "backOff")["a.ts"]).toBeGreaterThan(0);
  });

  it.each([
    ["retries", "retry"],
    ["caching", "cache"],
    ["stopped", "stop"],
    ["matches", "match"],
    ["parseHTTPReply", "http"],
    ["max_retry_count", "retry"],
  ])("[R38] meets %s when it looks for %s", (written, keyword) => {
    expect(score({ "a.ts": written }, keyword)["a.ts"]).toBeGreaterThan(0);
  });
});
