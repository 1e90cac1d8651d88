/** If red: two tables of models disagree, and a price or window depends on who asks. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = path.join(import.meta.dirname, "../src");

function listSources(): readonly string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
}

function findLines(pattern: RegExp, isAllowed: (file: string) => boolean): readonly string[] {
  return listSources()
    .filter((file) => !isAllowed(file))
    .flatMap((file) =>
      readFileSync(path.join(SOURCE, file), "utf8")
        .split("\n")
        .filter((line) => pattern.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
}

describe("one place each", () => {
  it("tells models apart by name in the table alone", () => {
    const nameInPattern = /\/[^/\n"'`]*(?:opus|sonnet|haiku|fable|mythos)[^/\n"'`]*\/[a-z]*[.,;\])]/;
    expect(findLines(nameInPattern, (file) => file === "models/model-table.ts")).toEqual([]);
  });

  it("multiplies tokens with a price in one function alone", () => {
    const isPricing = (file: string): boolean => /^models\/(?:index|economics\/(?:prices|rates|spend))\.ts$/.test(file);
    expect(findLines(/quotePrice|\.(?:cacheRead|cacheWrite5m|cacheWrite1h)\b/, isPricing)).toEqual([]);
  });

  it("adds up what requests cost in one function alone", () => {
    const isSpending = (file: string): boolean => /^models\/economics\/(?:bill|spend)\.ts$/.test(file);
    expect(findLines(/sum \+.*(?:priceUsage|totalUsd)|addSpend\(/, isSpending)).toEqual([]);
  });
});
