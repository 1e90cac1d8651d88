/** If red: with command hooks ignored folders are read, or a call is refused that should pass. */
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, boundary, summary } from "../../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../../core/json.ts";
import { preToolUse } from "./pre-tool-use.ts";

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));

async function ask(stage: HookStage, tool_name: string, tool_input: JsonObject, more: JsonObject = {}) {
  const { output, actions = [] } = await stage.fire(preToolUse, "PreToolUse", { tool_name, tool_input, ...more });
  return { isDenied: output?.permissionDecision === "deny", why: output?.permissionDecisionReason, actions };
}

describe("the guard of ignored folders", () => {
  it("[R150] refuses to read what is ignored, with the reason, and notes it", async () => {
    const stage = open();
    const { isDenied, why, actions } = await ask(stage, "Read", { file_path: `${stage.project}/node_modules/x/a.js` });
    expect(isDenied).toBe(true);
    expect(why).toContain("node_modules");
    expect(actions).toMatchObject([{ kind: "blocked", tool: "Read" }]);
  });

  it("[R150] lets everything else pass, and builds too", async () => {
    const stage = open();
    expect(await ask(stage, "Read", { file_path: `${stage.project}/src/a.ts` })).toMatchObject({ isDenied: false });
    expect(await ask(stage, "Bash", { command: "npm run build" })).toMatchObject({ isDenied: false, actions: [] });
    expect(await ask(stage, "Bash", {})).toMatchObject({ isDenied: false });
  });

  it("[R150] goes by .ckignore and by .plimsollignore, whose lines have the last word", async () => {
    const stage = open();
    const file_path = `${stage.project}/data/big.csv`;
    stage.put(".ckignore", "data/\n");
    expect(await ask(stage, "Read", { file_path })).toMatchObject({ isDenied: true });
    stage.put(".plimsollignore", "!node_modules/\n");
    expect(await ask(stage, "Read", { file_path })).toMatchObject({ isDenied: true });
    expect(await ask(stage, "Read", { file_path: `${stage.project}/node_modules/a.js` })).toMatchObject({
      isDenied: false,
    });
    stage.put(".plimsollignore", "!data/\n");
    expect(await ask(stage, "Read", { file_path })).toMatchObject({ isDenied: false });
  });

  it("[R150] fails open where the file is no plain one", async () => {
    const stage = open();
    const elsewhere = path.join(temporary.folder, "rules");
    writeFileSync(elsewhere, "src/\n");
    symlinkSync(elsewhere, path.join(stage.project, ".ckignore"));
    expect(await ask(stage, "Read", { file_path: `${stage.project}/src/a.ts` })).toMatchObject({ isDenied: false });
  });

  it("is switched off by the setting", async () => {
    const stage = open();
    stage.set({ guardsIgnored: false });
    const file_path = `${stage.project}/node_modules/x/a.js`;
    expect(await ask(stage, "Read", { file_path })).toMatchObject({ isDenied: false });
  });
});

const heavy = (id: string, tokens: number) => answer(id, ["Working."], { cache_read_input_tokens: tokens });
const edit: readonly [string, JsonObject] = ["Edit", { file_path: "/w/a.ts", old_string: "a", new_string: "b" }];

describe("the block at RED", () => {
  it("[R33] is off unless it was asked for", async () => {
    const stage = open();
    stage.write(heavy("m1", 160_000));
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
  });

  it("[R33] [R114] refuses at a measured RED, until it has refused three times", async () => {
    const stage = open();
    stage.set({ blocksAtRed: true });
    stage.write(heavy("m1", 160_000));
    for (let refusal = 1; refusal <= 3; refusal++)
      expect((await ask(stage, ...edit)).why).toContain(`refusal ${refusal} of 3`);
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
  });

  it("[R33] lets go after the compaction", async () => {
    const stage = open();
    stage.set({ blocksAtRed: true });
    stage.write(heavy("m1", 160_000));
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: true });
    stage.write(boundary("l1"), summary("so far"));
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
    stage.write(heavy("m2", 30_000));
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
  });

  it("[R34] never refuses below RED, nor where no usage confirms it", async () => {
    const stage = open();
    stage.set({ blocksAtRed: true });
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
    stage.write(heavy("m1", 150_000));
    expect(await ask(stage, ...edit)).toMatchObject({ isDenied: false });
  });

  it("[R33] refuses neither looking nor saving, nor a subagent", async () => {
    const stage = open();
    stage.set({ blocksAtRed: true });
    stage.write(heavy("m1", 160_000));
    for (const [tool, input] of [
      ["Read", { file_path: "/w/a.ts" }],
      ["Grep", { pattern: "x" }],
      ["TaskUpdate", { taskId: "1", status: "completed" }],
      ["Write", { file_path: `${stage.project}/.plimsoll/progress.md`, content: "x" }],
      ["Bash", { command: "plimsoll state" }],
    ] as const)
      expect([tool, (await ask(stage, tool, input)).isDenied]).toEqual([tool, false]);
    expect(await ask(stage, edit[0], edit[1], { agent_id: "a1" })).toMatchObject({ isDenied: false });
  });
});

describe("an expensive worker", () => {
  it("[R202] is told to the person before it is sent, and nothing is refused", async () => {
    const stage = open();
    const fire = (prompt: string) =>
      stage.fire(preToolUse, "PreToolUse", { tool_name: "Task", tool_input: { description: "hull", prompt } });
    const { systemMessage, output } = await fire("plank ".repeat(40_000));
    expect(systemMessage).toMatch(/this worker's prompt has about [\d.]+k tokens/);
    expect(output).toBeUndefined();
    expect((await fire("Plank the hull.")).systemMessage).toBeUndefined();
  });
});
