/** If red: the saving of a smaller base counts tools that sessions called. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ReplaySession } from "../../src/replay/session.ts";
import { assistant, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { trimBase } from "./trim-base.ts";

const temporary = createTemporaryFolder();
const EVERYDAY = ["Bash", "Read", "Edit", "Write"];

/** A session in a folder whose sessions have called these tools, one session each. */
function recordFolder(...called: readonly (readonly string[])[]) {
  const folder = temporary.name("project");
  mkdirSync(folder);
  const files = called.map((names, index) => {
    const file = path.join(folder, `${index}.jsonl`);
    const line = (name: string): string =>
      JSON.stringify({ content: [{ type: "tool_use", id: "t", name, input: {} }] });
    writeFileSync(file, names.map(line).join("\n"));
    return file;
  });
  return { ...recordReplaySession([exchange([user("Go.")], assistant("Done."))]), file: files[0], baseTokens: 20_000 };
}

function trim(session: ReplaySession): number {
  return trimBase(session).baseTokens;
}

/** The line that names what waits. */
const MOST_NAMED = 120;

describe("the base that is left", () => {
  const all = 27_071 + 46_418;
  const left = (characters: number): number => 20_000 * (1 - characters / all);

  it("is without the tools that were never called, and with a line that names them", () => {
    const trimmed = trim(recordFolder([...EVERYDAY, "Agent", "Skill"]));
    expect(trimmed).toBeGreaterThan(left(5_473 + 5_017 + 2_283 + 1_196) + 40);
    expect(trimmed).toBeLessThan(left(5_473 + 5_017 + 2_283 + 1_196) + MOST_NAMED);
  });

  it("always has the tools that Plimsoll never defers", () => {
    expect(trim(recordFolder(["Bash"]))).toBe(trim(recordFolder(EVERYDAY)));
  });

  it("is by the evidence of all recorded sessions next to it, under the names that tools have today", () => {
    expect(trim(recordFolder(EVERYDAY, ["Task"]))).toBe(trim(recordFolder([...EVERYDAY, "Agent"])));
    expect(trim(recordFolder(EVERYDAY, ["Task"]))).toBeGreaterThan(trim(recordFolder(EVERYDAY)));
  });

  it("is the recorded one where there is no folder", () => {
    expect(trim({ ...recordFolder(EVERYDAY), file: undefined })).toBe(20_000);
  });
});
