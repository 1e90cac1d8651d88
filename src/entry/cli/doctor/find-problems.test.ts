/** If red: plimsoll doctor names a failure without the folder or the step that repairs it. */
import { describe, expect, it } from "vitest";
import { adviseFailure } from "./find-problems.ts";

const advise = (why: string, event = "session.compact"): string =>
  adviseFailure({ event, lastFailure: { why, atMs: 0 } });

describe("the advice against a failure", () => {
  it.each([
    ["the project's artifacts cannot be written", /\.plimsoll folder of that project.*chown or chmod/],
    ["EACCES: permission denied, open '/x/.plimsoll/progress.md'", /\.plimsoll folder/],
    ["EROFS: read-only file system, mkdir '/x/.plimsoll'", /read-only.*\.plimsoll folder/],
    ["ENOSPC: no space left on device", /free some disk space/],
  ])("against %j names the folder and what to do", (why, fix) => {
    expect(advise(why)).toMatch(fix);
    expect(advise(why)).not.toContain("update Plimsoll");
  });

  it("against what nobody knows is an update, and for a compaction the way round it", () => {
    expect(advise("undefined is not a function")).toMatch(/^update Plimsoll.*"compaction": "native"/);
    expect(advise("undefined is not a function", "session.append")).toMatch(/doctor --json$/);
  });
});
