import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { parseReplay, readWhatIf } from "./what-if.ts";

const { name } = createTemporaryFolder();

function write(text: string): string {
  const file = name(".json");
  writeFileSync(file, text);
  return file;
}

describe("the answer of a replay", () => {
  it("is taken policy by policy, with what it does not tell left open", () => {
    const told = {
      policies: [
        { name: "native", netUsd: 3, coldLost: 0.1 },
        {
          name: "plimsoll",
          netUsd: 2,
          recoveryUsd: 0.1,
          rereadUsd: 0.2,
          relative: { netUsd: 0.6, netInterval: { low: 0.5, high: 0.7 } },
        },
      ],
    };
    expect(parseReplay(told).policies).toMatchObject([
      { policy: "native", netUsd: 3, coldLost: 0.1, fetchUsd: undefined, relative: undefined },
      { policy: "plimsoll", fetchUsd: expect.closeTo(0.3, 9), relative: 0.6, low: 0.5, high: 0.7, coldLost: undefined },
    ]);
  });

  it.each([null, 7, [], {}, { policies: null }, { policies: [1, {}, { name: "x" }, { name: "x", netUsd: "3" }] }])(
    "is no policy in %j",
    (answer) => {
      expect(parseReplay(answer).policies).toEqual([]);
    },
  );
});

describe("the view of replays", () => {
  it("says which command to run as long as there is none", () => {
    expect(readWhatIf(undefined)).toMatchObject({
      status: "none",
      command: expect.stringContaining("plimsoll replay"),
    });
  });

  it("shows the policies of a file", () => {
    expect(
      readWhatIf(write(JSON.stringify({ policies: [{ name: "native", netUsd: 3 }], minSteps: 60 }))),
    ).toMatchObject({
      status: "replayed",
      policies: [{ policy: "native" }],
      minRequests: 60,
      sessions: undefined,
    });
  });

  it.each(["", "{", "{}"])("says what is wrong with a file that holds %j", (text) => {
    expect(readWhatIf(write(text))).toMatchObject({
      status: "none",
      why: expect.stringMatching(/cannot be read|no totals/),
    });
  });

  it("says that a file is gone", () => {
    expect(readWhatIf(name(".json"))).toMatchObject({ status: "none", why: expect.stringContaining("ENOENT") });
  });
});
