/** If red: the price of fetching something back is wrong, and so are decisions to fold. */
import { expect, test } from "vitest";
import { countRecoveryUnits, RECOVERY_SHARES } from "./recovery.ts";

const rates = { read: 0.1, write: 1.25, output: 5 };

test("a recovery is a request over the whole view, a call, and a page of at most 2,000 tokens", () => {
  expect(countRecoveryUnits(100_000, 9000, rates)).toBe(10_000 + 750 + 2500);
  expect(countRecoveryUnits(0, 100, rates)).toBe(750 + 125);
  expect(countRecoveryUnits(0, -5, rates)).toBe(750);
});

test("what is still in view is never fetched again, and whole exchanges are the most likely to be", () => {
  const shares = Object.values(RECOVERY_SHARES);
  expect(RECOVERY_SHARES.duplicate).toBe(0);
  expect(Math.max(...shares)).toBe(RECOVERY_SHARES.exchanges);
});
