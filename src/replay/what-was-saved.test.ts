/** If red: a person is promised savings above what perfect foresight would give. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/depth.ts";
import { answerReplay } from "../../test/support/replay-answer.ts";
import type { ReplayAnswer } from "./parse-answer.ts";
import { indexReplayed, sumSaved as sumFound } from "./what-was-saved.ts";

interface Dollars {
  readonly recorded: number;
  readonly native: number;
  readonly own: number;
  readonly foreseeing: number;
}

const row = (name: string, { recorded, native, own, foreseeing }: Dollars) => ({
  name,
  repository: name.slice(0, 3),
  recordedUsd: recorded,
  policies: [
    { name: "native", netUsd: native },
    { name: "plimsoll", netUsd: own },
    { name: "clairvoyant", netUsd: foreseeing },
  ],
});

const LOSS = { summaries: 2, facts: 10, lost: 3 };
const ANSWER = {
  sessions: [
    { ...row("one/a.jsonl", { recorded: 10, native: 10, own: 6, foreseeing: 5 }), loss: LOSS },
    { ...row("two/b.jsonl", { recorded: 5, native: 20, own: 16, foreseeing: 12 }), loss: null },
  ],
  shortSessions: [
    {
      ...row("two/c.jsonl", { recorded: 1, native: 1, own: 1.5, foreseeing: 1 }),
      loss: { summaries: 1, facts: 30, lost: 7 },
    },
  ],
};

const sumSaved = (given: Partial<ReplayAnswer>, files: readonly string[]) =>
  sumFound(indexReplayed(answerReplay(given)), files);

describe("what was saved", () => {
  it("is the share that the simulation gives of what was billed, over the sessions that are asked about", () => {
    expect(
      sumSaved(ANSWER, ["/home/p/one/a.jsonl", "/home/p/two/b.jsonl", "/home/p/two/c.jsonl", "/x/d.jsonl"]),
    ).toEqual({
      sessions: 3,
      asked: 4,
      recordedUsd: 16,
      simulatedUsd: 31,
      ownUsd: 23.5,
      savedUsd: 4 + 1 - 0.5,
      carriedUsd: 5 + 2,
      loss: { summaries: 3, facts: 40, lost: 10 },
    });
  });

  it("is never more than perfect foresight saves, and never more than was billed", () => {
    const usd = fc.double({ min: 0.01, max: 1000, noNaN: true });
    const dollars = fc.record({ recorded: usd, native: usd, own: usd, foreseeing: usd });
    fc.assert(
      fc.property(fc.array(dollars, { minLength: 1, maxLength: 8 }), (all) => {
        const sessions = all.map((one, index) => row(`p/${index}.jsonl`, one));
        const saved = sumSaved(
          { sessions },
          sessions.map(({ name }) => `/h/${name}`),
        );
        expect(saved?.savedUsd).toBeLessThanOrEqual((saved?.carriedUsd ?? 0) + 1e-9);
        expect(saved?.carriedUsd).toBeLessThanOrEqual((saved?.recordedUsd ?? 0) + 1e-9);
      }),
      { numRuns: tries(200, 5000) },
    );
  });

  it("is what is installed, and says nothing of foresight that was not replayed", () => {
    const policies = [
      { name: "native", netUsd: 10 },
      { name: "plimsoll", netUsd: 6 },
      { name: "plimsoll@1h+5m", netUsd: 5 },
    ];
    const sessions = [{ name: "a.jsonl", recordedUsd: 10, policies }];
    expect(sumSaved({ sessions, installed: "plimsoll@1h+5m" }, ["/p/a.jsonl"])).toMatchObject({
      savedUsd: 5,
      carriedUsd: undefined,
    });
    expect(sumSaved({ sessions, installed: "plimsoll" }, ["/p/a.jsonl"])).toMatchObject({ savedUsd: 4 });
  });

  it.each([{}, { sessions: [{ name: "one/a.jsonl", recordedUsd: 1, policies: [] }] }])(
    "is not told by %j",
    (answer) => {
      expect(sumSaved(answer, ["/p/one/a.jsonl"])).toBeUndefined();
    },
  );
});
