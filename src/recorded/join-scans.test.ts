/** If red: the request that wrote a summary is billed twice. */
import { describe, expect, it } from "vitest";
import { zeroUsage } from "../core/usage.ts";
import type { TranscriptFile } from "../hosts/host.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { joinScans } from "./join-scans.ts";

const fileOf = (name: string, isSubagent: boolean): TranscriptFile => {
  return { path: `/s/${name}.jsonl`, project: "p", bytes: 1, modifiedMs: 1, isSubagent };
};

const scanOf = (...ids: readonly string[]): { scan: UsageScan } => {
  const step = { model: "claude-opus-4-6", atMs: 1, usage: zeroUsage, isSidechain: false, isOutputFinal: true };
  const steps = ids.map((stepId) => ({ ...step, stepId }));
  const lines = { read: ids.length, notAboutUsage: 0, malformed: 0 };
  return { scan: { steps, misses: [], compactions: [], toolCalls: 0, sessionId: "", title: "", folder: "", lines } };
};

describe("joinScans", () => {
  it("leaves a compaction's own file nothing but the request that wrote the summary, wherever it is in the list", () => {
    const { scanned } = joinScans(
      [fileOf("agent-acompact-1", true), fileOf("session", false), fileOf("resumed", false)],
      [scanOf("m1", "m2", "summary"), scanOf("m1", "m2", "m3"), scanOf("m1", "m2", "m3", "m4")],
    );
    expect(scanned.map(({ ownSteps }) => ownSteps.map(({ stepId }) => stepId))).toEqual([
      ["summary"],
      ["m1", "m2", "m3"],
      ["m4"],
    ]);
  });
});
