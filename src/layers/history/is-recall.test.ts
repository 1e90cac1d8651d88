/** If red: what a model fetched back is folded or collapsed at once, and is out of its reach. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { isRecall } from "./is-recall.ts";

describe("isRecall", () => {
  it("knows a call that asks for an original", () => {
    expect(isRecall("Read", { file_path: "/w/.plimsoll/artifacts/artifact-1-Bash.md" })).toBe(true);
    expect(isRecall("Bash", { command: "plimsoll artifacts show plimsoll:1a2b" })).toBe(true);
    expect(isRecall("Grep", { pattern: "x", path: ".plimsoll/artifacts" })).toBe(true);
    expect(isRecall("mcp__plugin_plimsoll_recall__get", {})).toBe(true);
    expect(isRecall("recall", { handle: "plimsoll:0123456789ab#2" })).toBe(true);
    expect(isRecall("Bash", { command: "npm test" })).toBe(false);
    expect(isRecall("window", { handle: "0123456789ab" })).toBe(false);
  });

  it.each<[boolean, Json]>([
    [true, "0123456789AB"],
    [true, "0123456789ab#3"],
    [true, "the captain, 012345 #7"],
    [true, ["plimsoll:0123456789ab"]],
    [true, [7, "0123456789ab#2-4"]],
    [true, '["0123456789ab"]'],
    [false, "the captain"],
    [false, "01234"],
    [false, ["the captain"]],
  ])("says %s of the tool recall with the handle %j", (expected, handle) => {
    expect(isRecall("recall", { handle })).toBe(expected);
  });
});
