/** If red: a replay that ended is shown as still running. */
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { dropReplayProgress, keepReplayProgress, readReplayProgress } from "./last-replay.ts";

const temporary = createTemporaryFolder();
const NO_PROCESS = 2 ** 22 + 1;

describe("how far a replay is", () => {
  it("is read by whoever asks, as long as its process lives and has spoken lately", () => {
    const environment = { HOME: temporary.name() };
    expect(readReplayProgress(environment, 1000)).toBeUndefined();
    keepReplayProgress(environment, { processId: process.pid, share: 0.4, atMs: 1000 });
    expect(readReplayProgress(environment, 2000)).toEqual({ processId: process.pid, share: 0.4, atMs: 1000 });
    expect(readReplayProgress(environment, 3_600_000)).toBeUndefined();
    keepReplayProgress(environment, { processId: NO_PROCESS, share: 0.4, atMs: 1000 });
    expect(readReplayProgress(environment, 2000)).toBeUndefined();
  });

  it("is gone when it is done", () => {
    const environment = { HOME: temporary.name() };
    keepReplayProgress(environment, { processId: process.pid, share: 1, atMs: 1000 });
    dropReplayProgress(environment);
    expect(readReplayProgress(environment, 1000)).toBeUndefined();
  });
});
