/** If red: the newest session is not listed first. */
import { expect, it } from "vitest";
import { zeroUsage } from "../core/usage.ts";
import { findLastRequestMs, rankByLastRequest } from "./list-own-sessions.ts";

const step = (atMs: number | undefined) => ({
  stepId: "",
  model: "",
  usage: zeroUsage,
  atMs,
  isSidechain: false,
  isOutputFinal: true,
});

it("is the youngest request, in whatever order they stand", () => {
  expect(findLastRequestMs({ steps: [step(5), step(9), step(undefined), step(7)] }, { modifiedMs: 100 })).toBe(9);
});

it("is the file's own time where no request has one, or where one claims to come from the future", () => {
  expect(findLastRequestMs({ steps: [step(undefined)] }, { modifiedMs: 100 })).toBe(100);
  expect(findLastRequestMs({ steps: [step(9), step(5000)] }, { modifiedMs: 100 })).toBe(100);
});

it("ranks files that were copied at one moment by what is in them, and an unknown one by its own time", () => {
  const [may, june, unknown] = [{ modifiedMs: 100 }, { modifiedMs: 100 }, { modifiedMs: 50 }];
  const scans = new Map([
    [may, { steps: [step(5)] }],
    [june, { steps: [step(6)] }],
  ]);
  expect(rankByLastRequest([may, june, unknown], (file) => scans.get(file))).toEqual([unknown, june, may]);
});
