import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findNeeds } from "../../src/replay/needs.ts";
import { assistant, user } from "../../test/support/build.ts";
import { exchange, tellReplaySession } from "../../test/support/replay-session.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { shareTrimmed, trimBase } from "./trim-base.ts";

const temporary = createTemporaryFolder();
const EVERYDAY = ["Bash", "Read", "Edit", "Write"];

describe("the base that is left", () => {
  it("is without the tools that were never called, and never without the tool search", () => {
    const all = 27_071 + 46_418;
    expect(shareTrimmed(new Set([...EVERYDAY, "Agent", "Skill"]))).toBeCloseTo((5_473 + 5_017 + 2_283 + 1_196) / all);
    expect(shareTrimmed(new Set([]))).toBeCloseTo((46_418 - 1_491) / all);
  });

  it("is by the evidence of all recorded sessions next to it, under the names that tools have today", () => {
    const folder = temporary.name("project");
    mkdirSync(folder);
    const file = path.join(folder, "one.jsonl");
    const called = (name: string): string =>
      JSON.stringify({ content: [{ type: "tool_use", id: "t", name, input: {} }] });
    writeFileSync(file, EVERYDAY.map(called).join("\n"));
    writeFileSync(path.join(folder, "two.jsonl"), called("Task"));
    const session = { ...tellReplaySession([exchange([user("Go.")], assistant("Done."))]), file };
    const { baseTokens } = trimBase({ session, needs: findNeeds(session) }).session;
    const share = shareTrimmed(new Set([...EVERYDAY, "Agent"]));
    expect(baseTokens).toBeCloseTo(session.baseTokens * (1 - share));
    const made = tellReplaySession([exchange([user("Go.")], assistant("Done."))]);
    expect(trimBase({ session: made, needs: findNeeds(made) }).session.baseTokens).toBe(made.baseTokens);
  });
});
