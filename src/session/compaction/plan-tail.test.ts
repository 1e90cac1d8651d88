import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planTail, type TailMessage } from "./plan-tail.ts";

const prompt = (tokens = 10): TailMessage => ({ role: "user", tokens, calls: [], results: [] });
const answer = (tokens: number, ...calls: readonly string[]): TailMessage => ({
  role: "assistant",
  tokens,
  calls,
  results: [],
});
const results = (tokens: number, ...ids: readonly string[]): TailMessage => ({
  role: "user",
  tokens,
  calls: [],
  results: ids,
});

/** Histories as a client has them: prompts, answers in one or several messages, their results together or one by one. */
const arbitraryHistory = fc
  .array(
    fc.record({
      isPrompt: fc.boolean(),
      calls: fc.integer({ min: 0, max: 4 }),
      isSplit: fc.boolean(),
      areResultsSplit: fc.boolean(),
      tokens: fc.integer({ min: 0, max: 3000 }),
    }),
    { maxLength: 25 },
  )
  .map((turns) =>
    turns.flatMap(({ isPrompt, calls, isSplit, areResultsSplit, tokens }, turn): readonly TailMessage[] => {
      const ids = Array.from({ length: calls }, (_, index) => `c${turn}-${index}`);
      const answers = isSplit && calls > 0 ? ids.map((id) => answer(tokens, id)) : [answer(tokens, ...ids)];
      const told = areResultsSplit ? ids.map((id) => results(tokens, id)) : calls > 0 ? [results(tokens, ...ids)] : [];
      return [...(isPrompt ? [prompt(tokens)] : []), ...answers, ...told];
    }),
  );

const weigh = (messages: readonly TailMessage[]): number => messages.reduce((sum, { tokens }) => sum + tokens, 0);

describe("the tail of a history", () => {
  it("holds no result without its call, and always the last answer with all that follows it", () => {
    fc.assert(
      fc.property(arbitraryHistory, fc.integer({ min: 0, max: 30_000 }), (messages, maxTokens) => {
        const from = planTail(messages, { maxTokens });
        const tail = messages.slice(from);
        const made = new Set<string>();
        for (const { calls, results: told } of tail) {
          for (const call of calls) made.add(call);
          for (const call of told) expect(made).toContain(call);
        }
        expect(from).toBeLessThanOrEqual(
          Math.max(
            0,
            messages.findLastIndex(({ role }) => role === "assistant"),
          ),
        );
      }),
      { numRuns: 400 },
    );
  });

  it("stays within its tokens, unless the last exchange alone is heavier: then it is that exchange", () => {
    fc.assert(
      fc.property(arbitraryHistory, fc.integer({ min: 0, max: 30_000 }), (messages, maxTokens) => {
        const from = planTail(messages, { maxTokens });
        const least = planTail(messages, { maxTokens: 0 });
        expect(from).toBeLessThanOrEqual(least);
        if (from < least) expect(weigh(messages.slice(from))).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: 400 },
    );
  });

  it("reaches as far back as there is room: nothing that fits is left out", () => {
    fc.assert(
      fc.property(arbitraryHistory, (messages) => {
        expect(planTail(messages, { maxTokens: weigh(messages), answers: messages.length })).toBe(0);
      }),
    );
  });

  it("is nothing of nothing", () => {
    expect(planTail([], { maxTokens: 100 })).toBe(0);
  });

  it("goes back to a prompt that fits and stops before the one that does not", () => {
    const messages = [prompt(900), answer(100), prompt(50), answer(100, "a"), results(100, "a"), answer(20)];
    expect(planTail(messages, { maxTokens: 270 })).toBe(2);
    expect(planTail(messages, { maxTokens: 269 })).toBe(3);
    expect(planTail(messages, { maxTokens: 219 })).toBe(5);
  });

  it("keeps calls made at once together with their results, however they are told", () => {
    const messages = [prompt(), answer(10, "a"), answer(10, "b"), results(10, "a"), results(10, "b")];
    expect(planTail(messages, { maxTokens: 0 })).toBe(1);
    const mixed = [prompt(), answer(10, "a"), results(10, "a"), answer(10, "b"), results(10, "b")];
    expect(planTail(mixed, { maxTokens: 0 })).toBe(3);
  });

  it("skips a start that would part a pair although it has room for it", () => {
    const messages = [prompt(500), answer(500, "a", "b"), results(30, "a"), results(30, "b"), answer(30)];
    expect(planTail(messages, { maxTokens: 120 })).toBe(4);
    expect(planTail(messages, { maxTokens: 600 })).toBe(1);
  });

  it("is not drawn back to the beginning by a result whose call nobody knows", () => {
    const messages = [prompt(900), answer(900, "a"), results(900, "a"), answer(10), results(10, "orphan"), answer(10)];
    expect(planTail(messages, { maxTokens: 100 })).toBe(3);
    expect(planTail(messages, { maxTokens: 0 })).toBe(5);
    expect(planTail([prompt(900), answer(900), results(10, "orphan")], { maxTokens: 0 })).toBe(1);
  });

  it("ends after so many answers though there is room for more", () => {
    const messages = Array.from({ length: 60 }, () => answer(1));
    expect(planTail(messages, { maxTokens: 1000 })).toBe(20);
    expect(planTail(messages, { maxTokens: 1000, answers: 3 })).toBe(57);
  });

  it("with no answer at all is the whole of what was asked", () => {
    expect(planTail([prompt(), prompt(), prompt()], { maxTokens: 0 })).toBe(0);
  });
});
