/** If red: the published error of the token estimate is too small. */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary, toFile, transcript } from "../../test/support/transcript-lines.ts";
import { checkEstimator } from "./check-estimator.ts";

const temporary = createTemporaryFolder();

function check(...drafts: readonly JsonObject[]): readonly number[] {
  const file = temporary.name();
  writeFileSync(file, toFile(transcript(...drafts)));
  return checkEstimator(readRecording(file).recording);
}

/** Nothing is answered, so that only the prompts between two requests weigh. */
const request = (id: string, contextTokens: number): JsonObject =>
  answer(id, [""], { input_tokens: 0, cache_read_input_tokens: contextTokens });

it("goes on from its own prediction, not from what was recorded, and tells the error as a share", () => {
  const [first = 0, second = 0, ...more] = check(request("m1", 10_000), request("m2", 12_500), request("m3", 12_500));
  expect(more).toEqual([]);
  // An answer without words weighs next to nothing: ten thousand are predicted twice.
  expect(first).toBeCloseTo(-0.2, 2);
  expect(second).toBeCloseTo(-0.2, 2);
});

it("starts anew behind a compaction and behind a fall that nobody recorded", () => {
  const errors = check(
    request("m1", 50_000),
    boundary("l1"),
    summary("in short"),
    request("m2", 20_000),
    prompt("more"),
    request("m3", 16_999),
    request("m4", 16_999),
  );
  expect(errors).toHaveLength(1);
  expect(errors[0]).toBeCloseTo(0, 2);
});
