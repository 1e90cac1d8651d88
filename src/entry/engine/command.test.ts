/** If red: /plimsoll answers with a wrong load, or a setting typed there does nothing. */
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { story } from "../../../test/support/story.ts";
import type { JsonObject } from "../../core/json.ts";
import { runSlashCommand } from "./command.ts";
import { SLASH_COMMANDS } from "./link/offers.ts";
import type { Live } from "./live.ts";
import { openLive } from "./open-live.ts";
import { sayAfterCompaction } from "./say.ts";

let fake: FakeClient;
let live: Live;
async function open(settings: JsonObject = {}): Promise<void> {
  fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  live = await openLive(fake.client, fake.machine);
}
beforeEach(() => open());
const run = (args: string): Promise<string> => runSlashCommand(fake.client, live, args);

function work(...subjects: readonly string[]): void {
  const todos = subjects.map((content) => ({ content, status: "pending" }));
  live.watch.events(story().asks("Ready the ship.").calls("TodoWrite", { todos }, "ok").events());
}

describe("the command", () => {
  it.each(["", "  ", "status", " status now"])("answers %j with the load, the folds and the setting", async (args) => {
    live.totals.folds = 3;
    live.totals.savedTokens = 12_400;
    live.totals.compactions = 1;
    const lines = (await run(args)).split("\n");
    expect(lines[0]).toBe("⊖ 0 tool calls, size not known yet");
    expect(lines).toContain("3 results folded, about 12.4k tokens less in every request; 1 compaction by Plimsoll");
    expect(lines).toContain("no open work is known");
    expect(lines.at(-1)).toBe("compaction: instant, compacts early when that pays off");
  });

  it("says of what it has not done yet that it has not, and no more", async () => {
    expect(await run("")).toContain("\n0 results folded; 0 compactions by Plimsoll\n");
  });

  it("names three pieces of open work and counts all of them", async () => {
    work("Caulk", "Paint", "Rig", "Sail");
    expect(await run("")).toContain("open work (4): Caulk · Paint · Rig\n");
  });

  it("shows where to go on and every open piece of work", async () => {
    work("Caulk", "Paint", "Rig", "Sail");
    const [next, ...rest] = (await run("open")).split("\n");
    expect(next).toMatch(/^next: \S/);
    expect(rest).toHaveLength(4);
    expect(rest.map((line) => line.split(": ")[1])).toEqual(
      ["Caulk", "Paint", "Rig", "Sail"].map((name) => `${name} (task list)`),
    );
  });

  it.each(["help", "sink", "--version"])("answers %j with its help", async (args) => {
    expect(await run(args)).toContain("/plimsoll open");
    expect(await run(args)).toContain("~/.claude/plimsoll.json");
  });

  it("hints at every verb that its help knows", async () => {
    const verbs = SLASH_COMMANDS[0].argumentHint
      .replace(/[[\]]/g, "")
      .split("|")
      .map((hint) => /\w+/.exec(hint)?.[0] ?? "");
    expect(verbs).toContain("open");
    for (const verb of verbs.filter((each) => each !== "help")) expect(await run(verb)).not.toBe(await run("help"));
  });

  it("[R204] keeps a text whole in every window that follows, until the person lifts it", async () => {
    expect(await run("keep Never touch the chain.")).toContain("1. Never touch the chain.");
    for (let compaction = 1; compaction <= 2; compaction++)
      expect(await sayAfterCompaction(fake.client, live, true)).toContain("Never touch the chain.");
    expect(await run("lift")).toBe("nothing is marked to be kept");
    expect(await sayAfterCompaction(fake.client, live, true)).not.toContain("Never touch the chain.");
    expect(await run("lift the chain")).toContain("/plimsoll lift all");
  });

  it("tells the last compactions: how much, why, and what they save", async () => {
    expect(await run("why")).toBe("no compaction in this session yet");
    const sizes = { kind: "compacted", by: "plimsoll", tokensBefore: 142_000, tokensAfter: 31_000, ms: 40 } as const;
    live.journal.note("session.compact", { ...sizes, trigger: "auto", why: "the cache is cold" });
    live.journal.note("session.compact", { ...sizes, trigger: "manual", why: "" });
    live.journal.note("session.compact", { ...sizes, trigger: "auto", agentId: "a1b2", why: "its window is full" });
    const lines = (await run("why")).split("\n");
    expect(lines[0]).toMatch(/^\d\d:\d\d {2}142k → 31.0k tokens: the cache is cold; /);
    expect(lines[1]).toContain("as you asked");
    expect(lines[2]).toMatch(/^\d\d:\d\d {2}subagent a1b2: 142k → about 31.0k tokens: its window is full$/);
    expect(lines).toHaveLength(4);
  });

  it.each(["forget search:plank", "keep search:plank"])(
    "%s waits until the model has answered, and changes nothing",
    async (words) => {
      const toolUses = [{ tool_use_id: "a", tool: "Bash", input: { command: "ls" } }];
      fake.session.messages = [{ role: "assistant", text: "I look.", toolUses }];
      expect(await run(words)).toBe("the model is still working: choose once it has answered");
      const toolResults = ["a", "b"].map((id) => ({
        tool_use_id: id,
        text: id === "a" ? "plank ".repeat(9_000) : "mast",
      }));
      fake.session.messages = [
        { role: "assistant", text: "", toolUses: [...toolUses, { tool_use_id: "b", tool: "Bash", input: {} }] },
        { role: "user", text: "", toolUses: [], toolResults },
      ];
      expect([live.policy.told.keptCalls ?? [], live.policy.told.forgottenCalls ?? []]).toEqual([[], []]);
      const answered = await run(words);
      expect(answered).toContain(words.startsWith("keep") ? "Kept whole across compactions: 1 result" : "Forgotten at");
      expect(await run(words.replace(/search.*/, ""))).toContain(
        words.startsWith("keep") ? "call:a" : "The largest results",
      );
    },
  );

  it("keeps no more results than leave room for the work", async () => {
    const toolUses = ["a", "b"].map((id) => ({ tool_use_id: id, tool: "Bash", input: {} }));
    const toolResults = ["a", "b"].map((id) => ({
      tool_use_id: id,
      text: id === "a" ? "plank ".repeat(30_000) : "mast",
    }));
    fake.session.messages = [
      { role: "assistant", text: "", toolUses },
      { role: "user", text: "", toolUses: [], toolResults },
    ];
    expect(await run("keep search:plank")).toContain("more than the 20.0k tokens of results that can be kept whole");
    expect(live.policy.told.keptCalls).toBeUndefined();
  });

  it("turns off what is brought about in this session, gives the client its line back, and turns it on again", async () => {
    live.line.isLowered = true;
    fake.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "100000");
    expect(await run("off")).toContain("Plimsoll starts no more compactions in this session");
    expect(fake.env.has("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe(false);
    expect([live.steering.isOn, (await run("")).includes("/plimsoll off")]).toEqual([false, true]);
    expect(await run("on")).toBe("Plimsoll compacts early when that pays off");
    expect(live.steering.isOn).toBe(true);
  });

  it.each([
    [
      { early: "ask", line: "120k" },
      "compacts early when that pays off and you say yes, and at your line of 120000 tokens",
    ],
    [{ early: "remind" }, "compacts early only when you run /compact, and reminds you when that would pay off"],
    [{ compaction: "native" }, "never compacts early"],
  ])("says what is set: %j", async (settings, said) => {
    await open(settings);
    expect((await run("status")).split("\n").at(-1)).toContain(said);
  });
});
