/** If red: with command hooks what a summary dropped does not come back, or comes back several times. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { contextOf, createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  answer,
  attachment,
  boundary,
  prompt,
  summary,
  toolResult,
  toolUse,
} from "../../../../test/support/transcript-lines.ts";
import { postCompact } from "../events/post-compact.ts";
import { preCompact } from "../events/pre-compact.ts";
import { sessionStart } from "../events/session-start.ts";
import { subagentStop } from "../events/subagent-stop.ts";
import { userPromptSubmit } from "../events/user-prompt-submit.ts";
import type { HookAnswer } from "../hook.ts";
import { landPending } from "./restore.ts";

const temporary = createTemporaryFolder();
let count = 0;

function open(): HookStage {
  count++;
  return createHookStage(path.join(temporary.folder, String(count)));
}

const MIGRATIONS = 'The user said: "Never touch the migrations folder."';
const FILE = "File created: src/invoice.ts";
const SUMMARY = "Rounded the invoice total on request; keep every harbour fee in whole cents.";

/** A session with a file written, two things the person insists on, and nothing left to do. */
function work(stage: HookStage): void {
  stage.write(
    prompt("Round the invoice total. Never touch the migrations folder. Keep every harbour fee in whole cents."),
    answer("m1", [
      toolUse("t1", "Write", { file_path: `${stage.project}/src/invoice.ts`, content: "export const total = 1;\n" }),
    ]),
    toolResult("t1", "File created successfully"),
    answer("m2", ["Rounded the invoice total."]),
  );
}

function receiptsOf(...answers: readonly HookAnswer[]) {
  return answers.flatMap(({ actions = [] }) => actions.filter((action) => action.kind === "receipt"));
}

const raw = (words: string) => ({ trigger: "manual", compact_summary: `<summary>\n${words}\n</summary>` });
const stopped = (words: string) => ({
  agent_id: "a1",
  agent_type: "",
  last_assistant_message: `<analysis>x</analysis>\n<summary>\n${words}\n</summary>`,
});

async function compact(stage: HookStage, words: string, { withStop = true } = {}) {
  const pre = await stage.fire(preCompact, "PreCompact", { trigger: "manual" });
  if (withStop) await stage.fire(subagentStop, "SubagentStop", stopped(words));
  const start = await stage.fire(sessionStart, "SessionStart", { source: "compact" });
  const post = await stage.fire(postCompact, "PostCompact", raw(words));
  stage.wait(10);
  return { pre, start, post };
}

const sent = (text: string) =>
  attachment({ type: "hook_additional_context", content: [text], hookName: "SessionStart" });

describe("a restore through the command hooks", () => {
  it("[R156] puts back exactly what the summary dropped, in the first request after it, and the receipt says so", async () => {
    const stage = open();
    work(stage);
    const before = readFileSync(stage.transcript, "utf8");
    const { start, post } = await compact(stage, SUMMARY);
    const lines = contextOf(start).split("\n").slice(1);
    expect(lines).toEqual([`- ${MIGRATIONS}`, expect.stringContaining(FILE)]);
    expect(receiptsOf(post)).toMatchObject([{ compaction: 1, landing: "unknown", lost: [{}, {}] }]);
    expect(readFileSync(stage.transcript, "utf8")).toBe(before);

    stage.write(boundary("l4"), summary(SUMMARY), sent(contextOf(start)), answer("m3", ["On."]));
    const later = await stage.fire(landPending, "PostToolUse");
    expect(contextOf(later)).toBe("");
    expect(receiptsOf(later)).toMatchObject([
      { compaction: 1, landing: "landed", lost: [{ line: lines[0], isInjected: true }, { line: lines[1] }] },
    ]);
    expect(await stage.fire(landPending, "PostToolUse")).toEqual({});
  });

  it("[R112] dates what it puts back", async () => {
    const stage = open();
    work(stage);
    const { start } = await compact(stage, SUMMARY);
    expect(contextOf(start)).toMatch(
      /^\[restored from this session's record of 2026-01-01 00:00 UTC, request 2, .*historical/,
    );
  });

  it("waits for the next prompt where the summary is known only after the session has started anew", async () => {
    const stage = open();
    work(stage);
    const { start } = await compact(stage, SUMMARY, { withStop: false });
    expect(contextOf(start)).toBe("");
    expect(contextOf(await stage.fire(userPromptSubmit, "UserPromptSubmit", { prompt: "go on" }))).toContain(
      MIGRATIONS,
    );
  });

  it("falls back to the next event, three times at most, and then the receipt says that it is missing", async () => {
    const stage = open();
    work(stage);
    await compact(stage, SUMMARY);
    stage.write(boundary("l4"), summary(SUMMARY), answer("m3", ["On."]));
    const second = await stage.fire(userPromptSubmit, "UserPromptSubmit", { prompt: "go on" });
    expect(contextOf(second)).toContain(MIGRATIONS);
    expect(await stage.fire(landPending, "PostToolUse")).toEqual({});
    stage.write(answer("m4", ["One."]), answer("m5", ["Two."]));
    expect(contextOf(await stage.fire(landPending, "PostToolUse"))).toContain(MIGRATIONS);
    stage.write(answer("m6", ["One."]), answer("m7", ["Two."]));
    const last = await stage.fire(landPending, "PostToolUse");
    expect(contextOf(last)).toBe("");
    expect(receiptsOf(last)).toMatchObject([{ landing: "missing" }]);
  });

  it("gives one of sixty parallel tool calls the restore, not all of them", async () => {
    const stage = open();
    work(stage);
    await compact(stage, SUMMARY, { withStop: false });
    const answers = await Promise.all(Array.from({ length: 60 }, () => stage.fire(landPending, "PostToolUse")));
    expect(answers.filter((given) => contextOf(given) !== "")).toHaveLength(1);
  });

  it("says nothing to a subagent, whose window is another", async () => {
    const stage = open();
    work(stage);
    await compact(stage, SUMMARY, { withStop: false });
    expect(await stage.fire(landPending, "PostToolUse", { agent_id: "a2" })).toEqual({});
    expect(await stage.fire(userPromptSubmit, "UserPromptSubmit", { agent_id: "a2", prompt: "x" })).toEqual({});
  });

  it("knows the summary from the transcript where the client has no event for it", async () => {
    const stage = open();
    work(stage);
    await stage.fire(preCompact, "PreCompact", { trigger: "auto" });
    stage.wait(10);
    stage.write(boundary("l4"), summary(SUMMARY), prompt("next"));
    expect(contextOf(await stage.fire(landPending, "PostToolUse"))).toContain(MIGRATIONS);
  });

  it("keeps at a second compaction what the first one kept", async () => {
    const stage = open();
    work(stage);
    const { start } = await compact(stage, SUMMARY);
    stage.write(
      boundary("l4"),
      summary(SUMMARY),
      sent(contextOf(start)),
      answer("m3", ["On."]),
      prompt("Now the ropes."),
    );
    stage.write(answer("m4", ["Counted the ropes."]));
    const second = await compact(stage, "Counted the ropes.");
    expect(contextOf(second.start)).toContain(MIGRATIONS);
    expect(receiptsOf(second.pre, second.post)).toMatchObject([
      { compaction: 1, landing: "landed" },
      { compaction: 2 },
    ]);
  });

  it("does not bring a finished task back as open", async () => {
    const stage = open();
    stage.write(
      prompt("Work the list."),
      answer("m1", [toolUse("t1", "TaskCreate", { subject: "Caulk the northern seams", description: "x" })]),
      toolResult("t1", "Task #1 created successfully: Caulk the northern seams"),
      answer("m2", [toolUse("t2", "TaskUpdate", { taskId: "1", status: "completed" })]),
      toolResult("t2", "Updated task #1 status"),
      answer("m3", ["All seams are caulked."]),
    );
    const { pre, start } = await compact(stage, "Nothing to tell.");
    expect(pre.text).not.toContain("Caulk the northern seams");
    expect(contextOf(start)).not.toMatch(/Task, at this point|Open tasks/);
  });

  it("names instruction files that the window lost, once it is seen what the client put back", async () => {
    const stage = open();
    work(stage);
    const memory = (name: string) => attachment({ type: "nested_memory", path: `${stage.project}/${name}` });
    stage.write(memory("pkg/CLAUDE.md"), memory("api/CLAUDE.md"));
    const { start } = await compact(stage, `${SUMMARY} ${MIGRATIONS} src/invoice.ts`);
    expect(contextOf(start)).toBe("");
    const file = { filePath: "x", numLines: 2, totalLines: 2 };
    stage.write(
      boundary("l6"),
      attachment({ type: "file", filename: `${stage.project}/api/CLAUDE.md`, content: { type: "text", file } }),
      answer("m3", ["On."]),
    );
    const later = contextOf(await stage.fire(landPending, "PostToolUse"));
    expect(later.split("\n").slice(1)).toEqual([
      "- Instructions no longer in the window: read pkg/CLAUDE.md again before working where they apply",
    ]);
  });
});

describe("preCompact", () => {
  it.each(["auto", "manual"])(
    "[R166] [R167] tells the summariser what must survive, as plain text (%s)",
    async (trigger) => {
      const stage = open();
      work(stage);
      const { text = "", output } = await stage.fire(preCompact, "PreCompact", { trigger });
      expect(text).toContain(`Trigger: ${trigger}`);
      expect(text).toContain("src/invoice.ts");
      expect(text.length).toBeLessThanOrEqual(10_000);
      expect(output).toBeUndefined();
    },
  );

  it("[R166] counts four events before one compaction once", async () => {
    const stage = open();
    work(stage);
    const answers: HookAnswer[] = [];
    for (let time = 0; time < 4; time++) answers.push(await stage.fire(preCompact, "PreCompact", { trigger: "auto" }));
    expect(answers.flatMap(({ actions = [] }) => actions).filter(({ kind }) => kind === "injected")).toHaveLength(1);
    const post = await stage.fire(postCompact, "PostCompact", raw(SUMMARY));
    expect(receiptsOf(post)).toMatchObject([{ compaction: 1 }]);
  });

  it("[R113] saves the project's state before anything is summarised", async () => {
    const stage = open();
    work(stage);
    await stage.fire(preCompact, "PreCompact", { trigger: "auto" });
    expect(readFileSync(path.join(stage.project, ".plimsoll", "progress.md"), "utf8")).toContain("Session Summary");
    expect(existsSync(path.join(stage.folder, "state.json"))).toBe(true);
  });

  it("speaks although the state cannot be saved, and the journal says that it was not", async () => {
    const stage = open();
    work(stage);
    stage.put(".plimsoll", "in the way");
    const { text, actions = [] } = await stage.fire(preCompact, "PreCompact", { trigger: "auto" });
    expect(text).toContain("COMPACTION RULES");
    expect(actions).toContainEqual({
      kind: "failed",
      why: expect.stringContaining("the project's state could not be saved"),
    });
  });
});

describe("postCompact", () => {
  it("[R184] says how many summaries of this session's tasks there are, and what the compaction came to", async () => {
    const stage = open();
    work(stage);
    const { post } = await compact(stage, SUMMARY);
    expect(post.actions).toContainEqual(
      expect.objectContaining({
        kind: "compacted",
        by: "client",
        why: expect.stringContaining("task summaries of this session on disk: 0"),
      }),
    );
    expect(post.output).toBeUndefined();
  });
});
