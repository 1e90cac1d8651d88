/** If red: the count of faults that the tests notice is wrong. */
import { transformSync } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { listMutants } from "./list-mutants.ts";
import { relateTests } from "./related-tests.ts";
import { createRandom, draw, estimateShare } from "./sample.ts";
import { weaveMutants } from "./weave-mutants.ts";

const changesOf = (text: string): readonly string[] =>
  listMutants("a.ts", text).map(({ kind, site, change }) => {
    const changed = text.slice(site.start, change.start) + change.text + text.slice(change.end, site.end);
    return `${kind}: ${changed}`;
  });

describe("the mutants of a source", () => {
  it.each<[string, readonly string[]]>([
    ["if (a) b;", ["condition: !(a)"]],
    ["x = a < b;", ["statement: ;", "boundary: (a) <= (b)"]],
    ["x(a ?? b);", ["statement: ;", "logical: (a) && (b)"]],
    ["x(a + 'b');", ["statement: ;", 'literal: ""']],
    ["const x = list.some((one) => one.isRed);", ["method: list.every((one) => one.isRed)", "return: undefined"]],
    ["const x = a?.b.trim();", ["method: a?.b", "optional: a.b.trim()"]],
    ["const x = a(b?.c);", ["optional: b.c"]],
    ["const x = [...a, 2];", ["spread: []", "literal: 4"]],
    ["function f() { return [a]; }", ["return: []"]],
  ])("%s", (text, changes) => {
    expect([...changesOf(text)].sort()).toEqual([...changes].sort());
  });

  it("are none of types, names, imports, words of thrown errors and defaults that only the type checker asks for", () => {
    const text = `import { a } from "a";
export { b } from "./b.ts";
type Kind = "one" | "two";
interface Thing { readonly kind: "thing"; }
const [first = ""] = a;
const second: "x" | undefined = first[at] ?? "";
function f(): never { throw new TypeError(\`no \${second}\`); }`;
    expect(changesOf(text)).toEqual(['logical: (first[at]) && ("")']);
  });

  it.each<[string, string, readonly string[]]>([
    [
      "the length of a wait",
      "const PAUSE_MS = 20; const AGAIN_MS = 5; f(() => setTimeout(g, PAUSE_MS), AGAIN_MS);",
      ["statement: ;", "literal: 10", "return: undefined"],
    ],
    [
      "where it is given",
      "setInterval(f, 500); within(7, f()); AbortSignal.timeout(9); later(3);",
      [...Array.from({ length: 4 }, () => "statement: ;"), "literal: 6"],
    ],
    [
      "which of two equal times is later",
      "x = [nowMs() < untilMs, Date.now() - beganMs > LIFE_MS, waitMs > 0, size < most];",
      [
        "statement: ;",
        "arithmetic: (Date.now()) + (beganMs)",
        "boundary: (waitMs) >= (0)",
        "literal: 1",
        "boundary: (size) <= (most)",
      ],
    ],
    ["a timer that does not keep the process alive", "timer.unref(); timer.close();", ["statement: ;"]],
    [
      "the name of a class of errors",
      'class A extends Error { name = "A"; code = "a"; } class B { name = "B"; }',
      ['literal: ""', 'literal: ""'],
    ],
  ])("%s is none that a test could see", (_, text, changes) => {
    expect([...changesOf(text)].sort()).toEqual([...changes].sort());
  });
});

describe("a woven source", () => {
  afterEach(() => {
    globalThis.isMutant = undefined;
  });

  const SOURCE = `
    const list: readonly number[] = [3, 1, 2];
    function judge(limit: number, more?: { deep?: readonly number[] }): unknown {
      const seen: unknown[] = [];
      if (limit > 1 && list.some((one) => one > limit)) seen.push("some");
      else seen.push(\`none of \${list.length}\`);
      for (let at = 0; at < list.length; at++) seen.push(list[at] ?? 0);
      return { seen, deep: more?.deep?.filter((one) => one !== 2) ?? [...list, limit * 2] };
    }
    globalThis.judged = [judge(0), judge(1), judge(2, {}), judge(9, { deep: [1, 2] })];`;
  const mutants = listMutants("a.ts", SOURCE).map((mutant, id) => ({ ...mutant, id }));

  function runWith(active: number, text: string): string {
    globalThis.isMutant = (id) => id === active;
    const { code } = transformSync(text, { loader: "ts" });
    try {
      new Function(code)();
    } catch (error) {
      return String(error);
    }
    return JSON.stringify(Reflect.get(globalThis, "judged"));
  }

  it("does what the source does as long as no mutant is asked for", () => {
    expect(runWith(-1, weaveMutants(SOURCE, mutants))).toBe(runWith(-1, SOURCE));
  });

  it("does with each what the source does with that change alone", () => {
    const woven = weaveMutants(SOURCE, mutants);
    expect(mutants.length).toBeGreaterThan(20);
    for (const { id, change, kind } of mutants) {
      const alone = SOURCE.slice(0, change.start) + change.text + SOURCE.slice(change.end);
      expect(runWith(id, woven), `${kind} ${alone}`).toBe(runWith(-1, alone));
    }
  });
});

describe("a sample", () => {
  it("is the same for the same seed, and holds nothing twice", () => {
    const all = Array.from({ length: 100 }, (_, at) => at);
    const drawn = draw(all, 40, createRandom(7));
    expect(draw(all, 40, createRandom(7))).toEqual(drawn);
    expect(draw(all, 40, createRandom(8))).not.toEqual(drawn);
    expect(new Set(drawn).size).toBe(40);
    expect(draw(all, 400, createRandom(7))).toHaveLength(100);
  });

  it("says of 80 in 100 what Wilson's interval says", () => {
    const { low, high } = estimateShare(80, 100);
    expect([low, high].map((share) => share.toFixed(3))).toEqual(["0.711", "0.867"]);
  });
});

it("knows the tests that import a source, also by way of others", () => {
  const [tests = []] = relateTests(["src/survive/receipt/judge-fact.ts"]).values();
  expect(tests).toContain("src/survive/receipt/receipt.test.ts");
});
