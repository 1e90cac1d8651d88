/** If red: a person is told of a saving in other days than the ones on the screen. */
import { describe, expect, it } from "vitest";
import type { LookBack } from "../../recorded/look-back/look-back.ts";
import { reportLookBack } from "./report-look-back.ts";

const lost = { usd: 0, isAtLeast: false, count: 0, sessions: 0 };
const look: LookBack = {
  ...{ fromMs: 0, untilMs: 1, days: 30, firstDay: "2026-05-04", lastDay: "2026-06-02", isUntilNow: true },
  ...{ sessions: 1, requests: 2, clients: [], totalUsd: 6.72, isAtLeast: false, isAssumed: false },
  ...{ unpricedRequests: 0, unfinalOutputRequests: 0, pauses: lost, otherMisses: lost, files: ["a.jsonl"] },
};
const around = { savedByClient: [], savedByInstalling: undefined, isInstalled: false, canSave: true };
const proposedLife = "$5.64 of that comes from a prompt cache life of one hour";
const loss = { summaries: 0, facts: 0, lost: 0 };
const saved = {
  ...{ savedUsd: 2, recordedUsd: 6, simulatedUsd: 6, ownUsd: 4, sessions: 1, asked: 1 },
  ...{ carriedUsd: undefined, loss },
};

describe("the last days", () => {
  it("name the part of the cache life only next to the saving that it is a part of", () => {
    const notes = (given: typeof saved | undefined) =>
      reportLookBack({ ...around, look, saved: given, proposedLife }, { status: "old" })?.notes.join(" ");
    expect(notes(saved)).toContain("$5.64 of that comes from");
    expect(notes(undefined)).toBe("Savings of these sessions not calculated yet. Run: plimsoll replay");
  });

  it.each([
    ["Claude Code", { savedByInstalling: saved }, "plimsoll install"],
    [
      "Claude Code, where it is installed",
      { savedByInstalling: saved, isInstalled: true },
      "plimsoll replay --sessions",
    ],
    ["pi alone", { savedByClient: [{ client: "pi", saved }] }, "plimsoll install --agent pi"],
    [
      "Codex alone, which its sentence names the command for",
      { savedByClient: [{ client: "Codex", saved }] },
      "plimsoll replay --sessions",
    ],
    [
      "two others",
      {
        savedByClient: [
          { client: "pi", saved },
          { client: "OpenCode", saved },
        ],
      },
      "plimsoll replay --sessions",
    ],
  ])("end with how to get the saving, of %s", (_, given, command) => {
    const report = reportLookBack({ ...around, ...given, look, saved, proposedLife }, { status: "done" });
    expect(report?.parts.at(-1)).toMatchObject({ kind: "saved", command });
  });
});
