import { describe, expect, it } from "vitest";
import { readReplayed, sumSaved as sumFound } from "./what-was-saved.ts";

const row = (name: string, repository: string, native: number, own: number, foreseeing: number) => ({
  name,
  repository,
  policies: [
    { name: "native", netUsd: native },
    { name: "plimsoll", netUsd: own },
    { name: "clairvoyant", netUsd: foreseeing },
  ],
});

const ANSWER = {
  sessions: [row("one/a.jsonl", "one", 10, 6, 5), row("two/b.jsonl", "two", 20, 16, 12)],
  shortSessions: [row("two/c.jsonl", "two", 1, 1.5, 1)],
};

const sumSaved = (answer: unknown, files: readonly string[]) => sumFound(readReplayed(answer), files);

describe("what was saved", () => {
  it("is the difference over the sessions that are asked about, found by the end of their path", () => {
    expect(sumSaved(ANSWER, ["/home/projects/one/a.jsonl", "/home/projects/two/c.jsonl", "/x/d.jsonl"])).toMatchObject({
      sessions: 2,
      asked: 3,
      nativeUsd: 11,
      carriedUsd: 5,
      savedUsd: 3.5,
    });
  });

  it("has an interval where several projects can be drawn, and none of one", () => {
    const both = sumSaved(ANSWER, ["/p/one/a.jsonl", "/p/two/b.jsonl"]);
    expect(both?.savedInterval?.lowUsd).toBeCloseTo(30 * 0.2, 9);
    expect(both?.savedInterval?.highUsd).toBeCloseTo(30 * 0.4, 9);
    expect(sumSaved(ANSWER, ["/p/two/b.jsonl", "/p/two/c.jsonl"])?.savedInterval).toBeUndefined();
  });

  it.each([undefined, [], {}, { sessions: [{}] }, { sessions: [{ name: "one/a.jsonl", policies: [] }] }])(
    "is not told by %j",
    (answer) => {
      expect(sumSaved(answer, ["/p/one/a.jsonl"])).toBeUndefined();
    },
  );
});
