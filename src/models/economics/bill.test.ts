import { expect, test } from "vitest";
import { usage } from "../../../test/support/session-events.ts";
import { billRequests, emptyBill, isLowerBound, joinBills } from "./bill.ts";

const million = 1_000_000;
const read = usage({ read: million });

test("requests cost together what each of them costs", () => {
  const bill = billRequests([
    { model: "claude-opus-5", usage: read },
    { model: "claude-sonnet-5", usage: read },
    { model: "claude-opus-5", usage: { ...read, speed: "fast" } },
    { model: "claude-opus-5", usage: undefined },
  ]);
  expect(bill.spend.totalUsd).toBeCloseTo(0.5 + 0.2 + 1, 9);
  expect(bill).toMatchObject({ unpriced: 0, unfinal: 0, isAssumed: false });
  expect(isLowerBound(bill)).toBe(false);
});

test("a model without a price, or an output that was not counted to its end, makes the sum a lower bound", () => {
  const unpriced = billRequests([
    { model: "claude-opus-5", usage: read },
    { model: "gpt-6", usage: read },
  ]);
  expect(unpriced.spend.totalUsd).toBeCloseTo(0.5, 9);
  expect(isLowerBound(unpriced)).toBe(true);
  const unfinal = billRequests([{ model: "claude-opus-5", usage: read, isOutputFinal: false }]);
  expect(isLowerBound(unfinal)).toBe(true);
  expect(joinBills(unpriced, unfinal)).toMatchObject({ unpriced: 1, unfinal: 1 });
  expect(joinBills(emptyBill, unpriced)).toEqual(unpriced);
});

test("a price that is assumed is told of the sum", () => {
  expect(billRequests([{ model: "claude-opus-9", usage: read }]).isAssumed).toBe(true);
});
