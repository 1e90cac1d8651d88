/** If red: the cost of a request is wrong for long prompts, fast mode or cached parts. */
import { expect, test } from "vitest";
import { usage } from "../../../test/support/session-events.ts";
import { addSpend, priceCarried, pricePart, priceUsage, zeroSpend } from "./spend.ts";

const million = 1_000_000;
const each = usage({ input: million, read: million, write5m: million, write1h: million, output: million });

test("a request costs what each of its parts costs", () => {
  const spend = priceUsage(each, "claude-opus-5");
  expect(spend?.inputUsd).toBeCloseTo(5, 9);
  expect(spend?.cacheReadUsd).toBeCloseTo(0.5, 9);
  expect(spend?.cacheWriteUsd).toBeCloseTo(6.25 + 10, 9);
  expect(spend?.outputUsd).toBeCloseTo(25, 9);
  expect(spend?.totalUsd).toBeCloseTo(5 + 0.5 + 16.25 + 25, 9);
});

test("a price that is assumed is passed on as such", () => {
  expect(priceUsage(each, "claude-opus-5")?.standing).toBe("published");
  expect(priceUsage(each, "claude-opus-6")?.standing).toBe("assumed");
});

test("the length that decides the price is the prompt's, not the answer's", () => {
  const atLimit = priceUsage(usage({ read: 100_000, output: 1000 }), "claude-haiku-5-5");
  const above = priceUsage(usage({ read: 100_001, output: 1000 }), "claude-haiku-5-5");
  expect(atLimit?.outputUsd).toBeCloseTo(0.0005, 9);
  expect(above?.outputUsd).toBeCloseTo(0.0025, 9);
});

test("a request in fast mode costs twice as much in every part", () => {
  const [slow, fast] = [priceUsage(each, "claude-opus-5"), priceUsage({ ...each, speed: "fast" }, "claude-opus-5")];
  expect(fast?.totalUsd).toBeCloseTo(2 * (slow?.totalUsd ?? 0), 9);
  expect(fast?.cacheReadUsd).toBeCloseTo(1, 9);
});

test("a part of a long request is priced as the long request is", () => {
  expect(pricePart({ cacheReadTokens: million }, "claude-sonnet-4-5")).toBeCloseTo(0.3, 9);
  expect(pricePart({ cacheReadTokens: million }, "claude-sonnet-4-5", { contextTokens: 200_001 })).toBeCloseTo(0.6, 9);
  expect(pricePart({ cacheReadTokens: million }, "gpt-6")).toBeUndefined();
});

test("what is carried is written once and read in every later request, and tells where a price is missing", () => {
  const carriedBy = [{ model: "claude-opus-5" }, { model: "claude-opus-5" }, { model: "claude-opus-5" }];
  expect(priceCarried(million, carriedBy)).toEqual({ usd: 7.25, isPriced: true });
  expect(priceCarried(million, [...carriedBy, { model: "gpt-6" }])).toEqual({ usd: 7.25, isPriced: false });
});

test("what is carried by a long request costs what the long request does", () => {
  const [long, short] = [{ model: "claude-sonnet-4-5", contextTokens: 200_001 }, { model: "claude-sonnet-4-5" }];
  expect(priceCarried(million, [long, long, short]).usd).toBeCloseTo(7.5 + 0.6 + 0.3, 9);
});

test("a model without a price costs nothing that could be told", () => {
  expect(priceUsage(each, "gpt-6")).toBeUndefined();
});

test("spends add up, and subtracting takes one away again", () => {
  const spend = { inputUsd: 1, cacheReadUsd: 2, cacheWriteUsd: 4, outputUsd: 8, totalUsd: 15 };
  const twice = addSpend(spend, spend);
  expect(twice).toEqual({ inputUsd: 2, cacheReadUsd: 4, cacheWriteUsd: 8, outputUsd: 16, totalUsd: 30 });
  expect(addSpend(twice, spend, -1)).toEqual(spend);
  expect(addSpend(zeroSpend, spend)).toEqual(spend);
});
