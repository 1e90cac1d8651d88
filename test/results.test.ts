/** If red: a document states a figure that was not measured. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { FETCHES_PER_REQUEST } from "../src/models/economics/recovery.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

interface Figure {
  readonly value: unknown;
  readonly text: string;
  readonly day: string;
  readonly entryPoint: string;
  readonly about: string;
}

const results = JSON.parse(read("docs/results.json"));
const figures: Readonly<Record<string, Figure>> = { ...results.figures, ...results.elsewhere };
const DOCUMENTS = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.startsWith("decisions"))
    .map((name) => `docs/${name}`),
];
const MARKED = /<!--=(\w+)-->(.*?)<!--=-->/g;

/** How a document states a figure that is in the results: with a number of its own it would be a second source. */
const CLAIMS: readonly RegExp[] = [
  /\bnet \**0\.\d{2,3}\** \(/,
  /costs 0\.\d+ of the client\b/,
  /\d+ times in the benchmark/,
  /\d\d(?:\.\d)? % of the older need/,
  /(?:one request (?:in|of)|once in) (?:six|seven|eight|nine|ten)\b/,
  /blind readers\S* answered \d+/,
  /client's own compaction[^|]*\| \[?0\.\d+/,
  /Plimsoll adds (?:another )?\[?\d+ ms\b/,
  /inside (?:pi|OpenCode)\]\([^)]*\), where \d+ sessions cost/,
  /came to 0\.\d+ of its price/,
  /(?:simulated|misses|hits)[^|]*\| \d\.\d{3} \| \d\.\d{3}/,
  /\d\d(?:\.\d)? % (?:is |are )?behind a handle/,
  /^\| `(?:plimsoll|native@\d+k)`\*? \| 0\.\d+ [|(]/m,
];

function findContradictions(text: string): readonly string[] {
  const wrong = [...text.matchAll(MARKED)].flatMap(([, name = "", stated]) =>
    stated === figures[name]?.text ? [] : [`${name} is stated as ${stated}, measured ${figures[name]?.text}`],
  );
  const bare = text.replace(MARKED, "§");
  return [...wrong, ...findUndated(text), ...CLAIMS.flatMap((claim) => claim.exec(bare)?.[0] ?? [])];
}

/** A figure from before the last replay says its day where it is stated: what it describes may have changed since. */
function findUndated(text: string): readonly string[] {
  return text.split(/^#+ /m).flatMap((section) =>
    [...section.matchAll(MARKED)].flatMap(([, name = ""]) => {
      const day = figures[name]?.day ?? results.day;
      const isSaid = day === results.day || section.includes(day) || section.includes(renderDay(day));
      return isSaid ? [] : [`${name} is of ${day}, and its section does not say so`];
    }),
  );
}

function renderDay(day: string): string {
  return new Date(day).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

describe("what the documents state", () => {
  it.each(DOCUMENTS)("is what was measured: %s", (file) => {
    expect(findContradictions(read(file))).toEqual([]);
  });

  it.each([
    "Plimsoll's policy: net 0.611 (0.54 to 0.73 over repositories)",
    "It costs 0.60 of the client all the same",
    "on purpose: 336 times in the benchmark",
    "In the benchmark 68.8 % of the older need is in sight",
    "a recall is needed in one request of seven",
    "[blind readers](reading.md) answered 80 % of the questions",
    "31.2 % is behind a handle",
    "| `plimsoll` | 0.611 (0.54 to 0.73) | 0.73 |",
    "| `plimsoll` | 0.572 | 0.591 | 0.611 |",
    "| simulated / recorded dollars | 0.977 | 0.870 | 1.047 |",
    "Plimsoll adds [46 ms to a request](install.md) with three tool results",
    "[runs inside pi](agents.md#pi), where 8 sessions cost 0.44 times as much as with pi's own compaction",
    `Tasks were solved <!--=solvedWithRecall-->${figures.solvedWithRecall?.text}<!--=--> of the time`,
    "<!--=net-->0.611<!--=-->",
    "<!--=noFigure-->1<!--=-->",
  ])("would be noticed if it were another: %s", (sentence) => {
    expect(findContradictions(sentence)).not.toEqual([]);
  });

  it("says how every figure was made", () => {
    expect(results.command).toMatch(/^npm run lab -- replay /);
    expect(results.day).toMatch(/^2\d{3}-\d\d-\d\d$/);
    expect(results.entryPoint).not.toBe("");
    for (const { command } of Object.values<Record<string, string>>(results.elsewhere)) expect(command).toBeTruthy();
    for (const { day, entryPoint, about } of Object.values(figures)) {
      expect(day).toMatch(/^2\d{3}-\d\d-\d\d$/);
      expect([entryPoint, about].every((words) => words !== "")).toBe(true);
    }
  });

  it("has the share of requests that fetch something back as the prices use it", () => {
    expect(FETCHES_PER_REQUEST).toBeCloseTo(Number(figures.fetchShare?.text), 2);
  });
});
