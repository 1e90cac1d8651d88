/** If red: a lesson is lost or takes an old meaning when the file is compacted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendLearnings, type Learning, parseLearnings } from "./learnings.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);
const learning = (key: string, insight: string): Learning => ({
  key,
  type: "decision",
  insight,
  confidence: 0.7,
  files: ["src/a.ts"],
});

describe("learnings", () => {
  it("[R118] are one JSON object a line, appended", () => {
    const one = appendLearnings("", [learning("state-lib", "chose X")], AT).text;
    expect(JSON.parse(one)).toEqual({
      ts: "2026-01-02T10:20:00.000Z",
      type: "decision",
      key: "state-lib",
      insight: "chose X",
      confidence: 0.7,
      files: ["src/a.ts"],
    });
    expect(appendLearnings(one, [learning("b", "y")], AT).text.startsWith(one)).toBe(true);
  });

  it("[R118] are written in one line, on a line of their own, and read back with all they say", () => {
    const said = { ...learning("a\nkey", "chose\nX"), type: "de\ncision" };
    const { text } = appendLearnings("not json", [said], AT);
    expect(text).toBe(
      'not json\n{"ts":"2026-01-02T10:20:00.000Z","type":"de cision","key":"a key","insight":"chose X","confidence":0.7,"files":["src/a.ts"]}\n',
    );
    expect(
      parseLearnings(
        `${text}\n{"key":"k","type":"t","insight":"i"}\n{"key":"k","type":"t"}\n{"key":"k","insight":"i"}\n`,
      ),
    ).toEqual({
      learnings: [
        { ...learning("a key", "chose X"), type: "de cision", atMs: AT },
        { key: "k", type: "t", insight: "i", confidence: 0, files: [], atMs: undefined },
      ],
      entries: 2,
      malformed: 3,
    });
    expect(appendLearnings(text, [said], AT + 1e9)).toEqual({ text, evicted: [] });
    expect(appendLearnings("not json", [], AT)).toEqual({ text: "not json", evicted: [] });
  });

  it("[R118] read the latest per key and type, by time and then by place", () => {
    const later = appendLearnings("", [learning("k", "new")], AT + 1000).text;
    const text = appendLearnings(later, [learning("k", "old"), { ...learning("k", "other"), type: "error" }], AT).text;
    expect(parseLearnings(text).learnings.map(({ insight }) => insight)).toEqual(["new", "other"]);
    const sameTime = appendLearnings("", [learning("k", "first"), learning("k", "second")], AT).text;
    expect(parseLearnings(sameTime).learnings.map(({ insight }) => insight)).toEqual(["second"]);
  });

  it("[R118] are compacted from the 101st entry on, not before", () => {
    const repeat = (count: number): readonly Learning[] =>
      Array.from({ length: count }, (_, index) => learning(`k${index % 10}`, `insight ${index}`));
    const full = appendLearnings("", repeat(100), AT);
    expect(full.evicted).toEqual([]);
    expect(parseLearnings(full.text).entries).toBe(100);
    const compacted = appendLearnings(full.text, [learning("k0", "last")], AT);
    expect(parseLearnings(compacted.text).entries).toBe(10);
    expect(compacted.evicted).toHaveLength(91);
    expect(compacted.text).toContain('"last"');
  });

  it("[R120] carry lines that are none, and count them", () => {
    const broken = '{"key": "half\nnot json\n';
    const { text } = appendLearnings(
      broken,
      Array.from({ length: 101 }, () => learning("k", "v")),
      AT,
    );
    expect(text.startsWith(broken)).toBe(true);
    expect(parseLearnings(text)).toMatchObject({ entries: 1, malformed: 2 });
  });

  it("[R120] mean the same after a compaction as before it", () => {
    const anyLearning: fc.Arbitrary<Learning> = fc.record({
      key: fc.constantFrom("a", "b", "c"),
      type: fc.constantFrom("decision", "error", "house-rule"),
      insight: fc.string({ unit: "binary" }).map((text) => text.replace(/\s+/g, " ").trim()),
      confidence: fc.constantFrom(0.1, 0.5, 1),
      files: fc.array(fc.string()),
    });
    fc.assert(
      fc.property(fc.array(anyLearning, { minLength: 101, maxLength: 130 }), (all) => {
        const piecemeal = all.reduce((text, one, index) => appendLearnings(text, [one], AT + index * 1000).text, "");
        const expected = new Map<string, string>();
        for (const { key, type, insight } of all) expected.set(`${key}/${type}`, insight);
        const got = parseLearnings(piecemeal).learnings.map(
          ({ key, type, insight }) => [`${key}/${type}`, insight] as const,
        );
        expect(new Map(got)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});
