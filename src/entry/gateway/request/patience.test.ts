/** If red: a store that is away makes every request wait for seconds. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPatience, type Patience } from "./patience.ts";

const AWAY = new Error("away");
const silent = (): Promise<string> => new Promise(() => undefined);
const refused = (): Promise<string> => Promise.reject(AWAY);

describe("a store that is away", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const create = (): Patience =>
    createPatience(
      () => Date.now(),
      (error) => error === AWAY,
    );
  /** How many milliseconds pass until there is an answer, or no hope of one. */
  const measure = async (asked: Promise<unknown>): Promise<number> => {
    const beganMs = Date.now();
    let isOver = false;
    void asked.finally(() => {
      isOver = true;
    });
    for (await vi.advanceTimersByTimeAsync(0); !isOver; ) await vi.advanceTimersByTimeAsync(5);
    const endedMs = Date.now();
    return endedMs - beganMs;
  };

  it.each([
    ["refuses connections", refused],
    ["does not answer", silent],
  ])("and %s holds no request for two seconds, and later ones hardly at all", async (_how, question) => {
    const patience = create();
    expect(await measure(patience.ask(question))).toBeLessThanOrEqual(2_000);
    for (let request = 0; request < 3; request++) {
      expect(await measure(patience.ask(question))).toBeLessThanOrEqual(30);
      await vi.advanceTimersByTimeAsync(1_000);
    }
  });

  it("holds requests that wait for different things no longer together than one alone", async () => {
    const patience = create();
    const inARow = async (): Promise<void> => {
      for (let question = 0; question < 4; question++) await patience.ask(silent);
    };
    expect(await measure(inARow())).toBeLessThanOrEqual(2_000);
  });

  it("is waited for again once it has answered, however late", async () => {
    const patience = create();
    const answers: ((words: string) => void)[] = [];
    const letGo: string[] = [];
    const slow = (): Promise<string> => new Promise((resolve) => void answers.push(resolve));
    expect(await measure(patience.ask(slow, (words) => void letGo.push(words)))).toBeGreaterThan(1_000);
    answers[0]?.("here I am");
    await vi.advanceTimersByTimeAsync(0);
    expect(letGo).toEqual(["here I am"]);
    expect(await measure(patience.ask(silent))).toBeGreaterThan(1_000);
  });
});
