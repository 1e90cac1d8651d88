import { beforeEach, describe, expect, it } from "vitest";
import { createFakeEngine } from "../../test/support/fake-engine.ts";
import { story } from "../../test/support/story.ts";
import { COMMAND_SPEC, runCommand } from "./command.ts";
import { type Live, openLive } from "./live.ts";

let live: Live;
beforeEach(async () => {
  live = await openLive(createFakeEngine().engine);
});

function work(...subjects: readonly string[]): void {
  const todos = subjects.map((content) => ({ content, status: "pending" }));
  live.watch.events(story().asks("Ready the ship.").calls("TodoWrite", { todos }, "ok").events());
}

describe("the command", () => {
  it.each(["", "  ", "status", " status now"])("answers %j with the load, the folds and the setting", (args) => {
    live.totals.folds = 3;
    live.totals.savedTokens = 12_400;
    live.totals.compactions = 1;
    const lines = runCommand(live, args).split("\n");
    expect(lines[0]).toBe("⊖ 0 calls, load not known yet");
    expect(lines).toContain("3 results folded, about 12k tokens less in every request since; 1 compactions answered");
    expect(lines).toContain("no open work known");
    expect(lines.at(-1)).toBe("compaction: instant, early when the price is right");
  });

  it("names three pieces of open work and counts all of them", () => {
    work("Caulk", "Paint", "Rig", "Sail");
    expect(runCommand(live, "")).toContain("4 open: Caulk · Paint · Rig\n");
  });

  it("shows where to go on and every open piece of work", () => {
    work("Caulk", "Paint", "Rig", "Sail");
    const [next, ...rest] = runCommand(live, "open").split("\n");
    expect(next).toMatch(/^next: \S/);
    expect(rest).toHaveLength(4);
    expect(rest.map((line) => line.split(": ")[1])).toEqual(["Caulk", "Paint", "Rig", "Sail"]);
  });

  it.each(["help", "sink", "--version"])("answers %j with its help", (args) => {
    expect(runCommand(live, args)).toContain("/plimsoll open");
    expect(runCommand(live, args)).toContain("~/.claude/plimsoll.json");
  });

  it("hints at every verb that its help knows", () => {
    const verbs = COMMAND_SPEC.argumentHint.replace(/[[\]\s]/g, "").split("|");
    expect(verbs).toContain("open");
    for (const verb of verbs.filter((each) => each !== "help"))
      expect(runCommand(live, verb)).not.toBe(runCommand(live, "help"));
  });
});
