/** If red: npm test leaves out what it should run, or runs the long part for everybody. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import deepConfig from "../vitest.deep.config.ts";
import { some, tries } from "./support/depth.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Runs of a browser and a client have configs of their own. */
const ELSEWHERE = /^test[\\/](?:browser|client|record)[\\/]/;
/** A property that is tried so often by everybody is no longer quick. */
const MANY = 100;

const files = ["src", "test"]
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  )
  .filter((name) => name.endsWith(".ts") && !ELSEWHERE.test(name))
  .map((name) => ({ name, text: readFileSync(path.join(ROOT, name), "utf8") }));

describe("how much a test does", () => {
  it("is little for everybody, and all there is in the long run", () => {
    const isDeep = tries(0, 1) === 1;
    expect(some(2, ["a", "b", "c", "d", "e"])).toEqual(isDeep ? ["a", "b", "c", "d", "e"] : ["a", "d"]);
    expect(some(3, ["a", "b"])).toEqual(["a", "b"]);
  });

  it("is asked for where a property is tried often", () => {
    const often = files.filter(({ text }) =>
      text
        .split("\n")
        .filter((line) => !line.includes("seed: "))
        .some((line) => Number(/numRuns: ([\d_]+)/.exec(line)?.[1]?.replaceAll("_", "") ?? 0) >= MANY),
    );
    expect(often.map(({ name }) => name)).toEqual([]);
  });
});

it("the long run finds what is named deep, and leaves out nothing", () => {
  const deep = files.map(({ name }) => name).filter((name) => name.endsWith(".deep.test.ts"));
  expect(deep.length).toBeGreaterThan(10);
  expect(deepConfig.test?.include).toEqual(expect.arrayContaining(deep));
  expect(deepConfig.test?.exclude).toBeUndefined();
});

it("a module that tests share registers no hook as it is loaded: only the first file of a worker would have it", () => {
  // A setup file is run anew for each test file.
  const isSetup = (name: string): boolean => name === "test/mutants/switch.ts";
  const shared = files.filter(({ name }) => name.startsWith("test") && !name.endsWith(".test.ts") && !isSetup(name));
  expect(shared.length).toBeGreaterThan(50);
  expect(shared.filter(({ text }) => /^(?:before|after)(?:Each|All)\(/m.test(text)).map(({ name }) => name)).toEqual(
    [],
  );
});
