/** If red: a request that was sent before it was read is never recorded, or fails with the reader. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { zeroUsage } from "../../core/usage.ts";
import { createAhead, createUnchanged, type Prepared } from "./prepared.ts";

const BODY = Buffer.from("{}");

beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }).advanceTimersByTime(1_500));
afterAll(() => void vi.useRealTimers());

it("what is sent as it came has decided nothing, and can do nothing", async () => {
  const { planMs, compact, react, finish, ...facts } = createUnchanged(BODY, ["store"], 1_000);
  expect(facts).toEqual({
    ...{ pieces: [BODY], session: "", model: "", isCompaction: false, edits: [], replayed: 0 },
    ...{ dropped: 0, tokensBefore: 0, tokensAfter: 0, incidents: ["store"], recall: undefined },
  });
  expect(facts.pieces[0]).toBe(BODY);
  expect([await compact(), await react(400, ""), finish(zeroUsage)]).toEqual([undefined, undefined, undefined]);
  expect(planMs).toBe(500);
  const plain = createUnchanged(BODY);
  expect([plain.incidents, plain.planMs]).toEqual([[], 0]);
});

describe("what is sent before it is read", () => {
  const stage = (fault?: Error) => {
    const done: unknown[] = [];
    const lighter = createUnchanged(Buffer.from("lighter"));
    const read = async (usage: unknown): Promise<Prepared> => {
      done.push(usage);
      if (fault) throw fault;
      return {
        ...createUnchanged(BODY),
        session: "5e55",
        react: async (...given) => {
          done.push(given);
          return lighter;
        },
        finish: (used) => void done.push(used),
      };
    };
    return { done, lighter, ahead: createAhead(BODY, read) };
  };

  it("leaves as it came, and is read once, when somebody asks or its answer is over", async () => {
    const { done, ahead } = stage();
    expect([ahead.pieces, ahead.session, done]).toEqual([[BODY], "", []]);
    ahead.finish(zeroUsage);
    expect((await ahead.behind?.())?.session).toBe("5e55");
    // It was read with the usage of its answer, so that is not told a second time.
    expect(done).toEqual([zeroUsage]);
    const usage = { ...zeroUsage, inputTokens: 1 };
    ahead.finish(usage);
    await ahead.behind?.();
    expect(done).toEqual([zeroUsage, usage]);
  });

  it("is read at an overflow, and what became of it is told when the answer is over", async () => {
    const { done, lighter, ahead } = stage();
    expect(await ahead.react(413, "too large")).toBe(lighter);
    ahead.finish(zeroUsage);
    await ahead.behind?.();
    expect(done).toEqual([undefined, [413, "too large"], zeroUsage]);
  });

  it("was sent all the same where reading it fails", async () => {
    const { ahead } = stage(new Error("a fault of ours"));
    expect(await ahead.behind?.()).toMatchObject({ pieces: [BODY], incidents: ["exception"] });
    expect(await ahead.react(413, "")).toBeUndefined();
  });
});
