/** If red: Plimsoll says what is not true, or loses something, where the disk is full or nothing can be written. */

import { expect, it } from "vitest";
import { needs } from "../support/needs.ts";
import {
  begunWithout,
  canMount,
  fullDisk,
  hugeResult,
  readOnlyHome,
  readOnlyTranscripts,
  tenTasks,
  threeReports,
} from "./hard-places.ts";

const withMounts = needs(canMount(), "no mounts can be made here");

it("says true sizes of a session that was begun without Plimsoll, on the screen and in the journal", async () => {
  expect(await begunWithout()).toEqual([]);
});

it("names ten open tasks in their order after a compaction", async () => {
  expect(await tenTasks()).toEqual([]);
});

it("keeps what three subagents found in view, also when they report right after a compaction and when it is old", async () => {
  expect(await threeReports()).toEqual([]);
});

withMounts.it("repairs .plimsoll/.gitignore after a full disk has room again", async () => {
  expect(await fullDisk()).toEqual([]);
});

withMounts.it(
  "announces no compaction that the client cannot carry out: transcripts that became read-only",
  async () => {
    expect(await readOnlyTranscripts()).toEqual([]);
  },
);

withMounts.it("says that it is idle, and announces nothing, in a HOME that became read-only", async () => {
  expect(await readOnlyHome()).toEqual([]);
});

it("folds a result of 4.8 MB that the client put away, keeps it whole, and shows the line that failed", async () => {
  expect(await hugeResult()).toEqual([]);
});
