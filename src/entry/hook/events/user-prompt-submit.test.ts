/** If red: with command hooks the person is not warned at their own line, or terse writing starts by itself. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, prompt, summary } from "../../../../test/support/transcript-lines.ts";
import { postToolUse } from "./post-tool-use.ts";
import { preCompact } from "./pre-compact.ts";
import { userPromptSubmit } from "./user-prompt-submit.ts";

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));
const say = (stage: HookStage, words: string) => stage.fire(userPromptSubmit, "UserPromptSubmit", { prompt: words });
const load = (id: string, tokens: number) => answer(id, ["Painted."], { cache_read_input_tokens: tokens });

describe("a line of the person's own, with command hooks", () => {
  it("is named on their screen when it is reached, once a window: a hook cannot compact", async () => {
    const stage = open();
    stage.set({ lineTokens: 120_000 });
    stage.write(prompt("Paint it."), load("m1", 90_000));
    expect((await say(stage, "on")).systemMessage).toBeUndefined();
    stage.write(load("m2", 131_000));
    expect((await say(stage, "on")).systemMessage).toMatch(
      /your line of 120k is reached: the window has 131k tokens\. Run \/compact to make room/,
    );
    expect((await say(stage, "on")).systemMessage).toBeUndefined();
    stage.write(boundary("l2"), summary("A summary."), load("m3", 40_000));
    expect((await say(stage, "on")).systemMessage).toBeUndefined();
    stage.write(load("m4", 125_000));
    expect((await say(stage, "on")).systemMessage).toContain("is reached");
  });

  it("is nothing without one, however full the window", async () => {
    const stage = open();
    stage.write(prompt("Paint it."), load("m1", 160_000));
    expect((await say(stage, "on")).systemMessage).toBeUndefined();
  });
});

describe("terse writing, with command hooks", () => {
  const fill = async (stage: HookStage): Promise<string> => {
    const said: string[] = [];
    for (const [at, tokens] of [100_000, 135_000, 140_000, 160_000].entries()) {
      stage.write(load(`m${at}`, tokens));
      stage.wait(60_000);
      const raw = {
        tool_name: "Bash",
        tool_use_id: `t${at}`,
        tool_input: { command: "ls" },
        tool_response: { stdout: "a" },
      };
      said.push(contextOf(await stage.fire(postToolUse, "PostToolUse", raw)));
    }
    return said.join("\n");
  };

  it("never comes by itself, and comes by the person's words", async () => {
    const stage = open();
    stage.write(prompt("Paint it."));
    expect(await fill(stage)).not.toContain("Caveman");
    expect(contextOf(await say(stage, "caveman mode please"))).toContain("Caveman mode is on");
  });

  it("[R89] comes with a full window where the person lets it, and goes when a compaction has made room", async () => {
    const stage = open();
    stage.set({ density: "auto" });
    stage.write(prompt("Paint it."));
    expect(await fill(stage)).toContain("Caveman mode is on");
    stage.write(boundary("m3"), summary("so far"), load("m9", 30_000));
    stage.wait(60_000);
    const raw = { tool_name: "Bash", tool_use_id: "t9", tool_input: { command: "ls" }, tool_response: { stdout: "a" } };
    expect(contextOf(await stage.fire(postToolUse, "PostToolUse", raw))).toContain("Caveman mode released");
  });
});

describe("what a compaction prints on the screen, with command hooks", () => {
  it("is nothing where there is nothing to name", async () => {
    const stage = open();
    stage.write(prompt("Hello."), load("m1", 30_000));
    const answered = await stage.fire(preCompact, "PreCompact", { trigger: "manual" });
    expect(answered.text).toBe("");
    expect(answered.actions).toEqual([]);
  });
});
