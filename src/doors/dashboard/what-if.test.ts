import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { parseReplay, readWhatIf } from "./what-if.ts";

const { name } = createTemporaryFolder();
const total = { netUsd: 3, coldLost: 0.1, fatal: 0 };

function write(text: string): string {
  const file = name(".json");
  writeFileSync(file, text);
  return file;
}

describe("the answer of a replay", () => {
  it("is taken listed or keyed by policy, with what it does not tell left open", () => {
    const listed = parseReplay({ totals: [{ policy: "native", ...total }] });
    expect(parseReplay({ totals: { native: total } })).toEqual(listed);
    expect(listed).toMatchObject([{ policy: "native", netUsd: 3, coldLost: 0.1, peakTokens: null }]);
  });

  it.each([
    null,
    7,
    [],
    {},
    { totals: null },
    { totals: [1, {}, { policy: "x" }] },
    { totals: { x: { netUsd: "3" } } },
  ])("is no policy in %j", (answer) => {
    expect(parseReplay(answer)).toEqual([]);
  });
});

describe("the view of replays", () => {
  it("says which command to run as long as there is none", () => {
    expect(readWhatIf(undefined)).toMatchObject({
      status: "none",
      command: expect.stringContaining("plimsoll replay"),
    });
  });

  it("shows the policies of a file", () => {
    expect(readWhatIf(write(JSON.stringify({ totals: { native: total } })))).toMatchObject({
      status: "replayed",
      policies: [{ policy: "native" }],
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
