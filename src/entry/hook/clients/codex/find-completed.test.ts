/** If red: a command that failed in Codex is taken for one that succeeded. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findCompleted } from "./find-completed.ts";

const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-codex-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function record(...lines: readonly (object | string)[]): string {
  const file = path.join(folder, "rollout.jsonl");
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return file;
}

const ended = (id: string, more: object) => ({
  type: "event_msg",
  payload: { type: "item_completed", item: { type: "CommandExecution", id, ...more } },
});

describe("how a command of Codex ended", () => {
  it("is what the last record of its call tells", () => {
    const file = record(
      ended("call_1", { exit_code: 0, aggregated_output: "first" }),
      ended("call_2", { exit_code: 3, aggregated_output: 'says "call_1" and CommandExecution' }),
      '{"half a line about "CommandExecution" of "call_1"',
    );
    expect(findCompleted(file, "call_1")).toEqual({ exitCode: 0, output: "first" });
    expect(findCompleted(file, "call_2")).toMatchObject({ exitCode: 3 });
  });

  it.each([
    ["nobody recorded it", [ended("call_2", { exit_code: 0, aggregated_output: "" })]],
    ["it is still running", [ended("call_1", { exit_code: null, aggregated_output: "" })]],
    ["its output is not there", [ended("call_1", { exit_code: 0 })]],
  ])("is not known where %s", (_why, lines) => {
    expect(findCompleted(record(...lines), "call_1")).toBeUndefined();
  });
});
