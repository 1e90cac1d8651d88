/** If red: with command hooks the state of a session is not saved at the end of a turn. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createHookStage, type HookStage } from "../../../../test/support/hook-stage.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, attachment, prompt, toolResult, toolUse } from "../../../../test/support/transcript-lines.ts";
import { createArtifactStore } from "../../../files/artifacts/artifacts.ts";
import { coldTaskPath } from "../../../survive/cold-tasks/cold-paths.ts";
import { openSessionData } from "../session-data.ts";
import { postToolUse } from "./post-tool-use.ts";
import { preCompact } from "./pre-compact.ts";
import { sessionEnd } from "./session-end.ts";
import { stop } from "./stop.ts";
import { userPromptSubmit } from "./user-prompt-submit.ts";

const temporary = createTemporaryFolder();
let count = 0;
const open = (): HookStage => createHookStage(path.join(temporary.folder, String(++count)));
const homeOf = (stage: HookStage): string => path.join(stage.project, "..", "home");

const heavy = { cache_read_input_tokens: 150_000 };
let steps = 0;

/** A task done, then so many answers that do not speak of it. */
function finishTask(stage: HookStage, answersSince: number, usage: { cache_read_input_tokens: number } = heavy): void {
  stage.write(
    prompt("Paint the hull."),
    answer("w1", [toolUse("c1", "TaskCreate", { subject: "Paint the hull" })]),
    { ...toolResult("c1", "Task #1 created successfully: Paint the hull"), toolUseResult: { task: { id: "1" } } },
    answer("w2", ["The first coat is dry.", toolUse("c2", "Bash", { command: "npm test" })]),
    toolResult("c2", "ok"),
    answer("w3", [toolUse("c3", "TaskUpdate", { taskId: "1", status: "completed" })]),
    toolResult("c3", "Updated task #1 status"),
  );
  for (let step = 0; step < answersSince; step++) stage.write(answer(`s${++steps}`, ["Sailing on."], usage));
}

const coldFile = (stage: HookStage): string => coldTaskPath(homeOf(stage), "session-1", "1");

describe("the end of a turn", () => {
  /** What the person sees of it: with their next prompt. */
  const see = async (stage: HookStage) =>
    (await stage.fire(userPromptSubmit, "UserPromptSubmit", { prompt: "Go on." })).systemMessage;

  const at = (tokens: number) => ({ input_tokens: tokens });
  const tools = (number: number) =>
    attachment({ type: "deferred_tools_delta", addedNames: Array.from({ length: number }, (_, index) => `t${index}`) });

  it("[R85] says once that an audit is worth it, at YELLOW", async () => {
    const stage = open();
    stage.write(prompt("Sail."), answer("m1", ["Sailing."], at(60_000)));
    await stage.fire(stop, "Stop");
    expect(await see(stage)).toBeUndefined();
    stage.write(prompt("On."), answer("m2", ["Sailing."], at(110_000)));
    const said = await stage.fire(stop, "Stop");
    expect(await see(stage)).toContain(
      "the window is at YELLOW: run plimsoll audit to see what every request contains",
    );
    expect(said.actions).toContainEqual(expect.objectContaining({ kind: "report", advised: "audit" }));
    stage.write(prompt("On."), answer("m3", ["Sailing."], at(120_000)));
    await stage.fire(stop, "Stop");
    expect(await see(stage)).toBeUndefined();
  });

  it("[R85] says it of more than eighty tools at the start, and not of eighty", async () => {
    const [many, few] = [open(), open()];
    many.write(tools(81), prompt("Sail."), answer("m1", ["Sailing."], at(40_000)));
    few.write(tools(80), prompt("Sail."), answer("m1", ["Sailing."], at(40_000)));
    for (const stage of [many, few]) await stage.fire(stop, "Stop");
    expect(await see(many)).toContain("81 tools are loaded at the start: run plimsoll audit");
    expect(await see(few)).toBeUndefined();
  });

  it("[R7] notes a phase that is over, and says so where the window is full and the table allows a compaction", async () => {
    const stage = open();
    const run = (command: string, tokens: number): void => {
      const id = `p${++steps}`;
      stage.write(answer(`a${id}`, [toolUse(id, "Bash", { command })], at(tokens)), toolResult(id, "ok"));
    };
    stage.write(prompt("Sail."));
    run("git commit -m hull", 60_000);
    expect((await stage.fire(stop, "Stop")).actions).toEqual([]);
    run("npm test", 60_000);
    expect((await stage.fire(stop, "Stop")).actions).toContainEqual({
      kind: "report",
      why: "commit ended, verify began",
      level: "GREEN",
      advised: "continue",
    });
    run("git commit -m deck", 140_000);
    await stage.fire(stop, "Stop");
    run("npm test", 140_000);
    await see(stage);
    await stage.fire(stop, "Stop");
    expect(await see(stage)).toBe(
      "plimsoll: commit ended, verify began, and the window is at ORANGE: this is a good time to run /compact",
    );
  });
});

describe("stop", () => {
  it("saves what the session has come to, and goes on from there", async () => {
    const stage = open();
    stage.write(prompt("Sail."), answer("m1", ["Sailing."], { cache_read_input_tokens: 40_000 }));
    expect(await stage.fire(stop, "Stop")).toMatchObject({ client: "2.1.219" });
    const file = path.join(stage.folder, "state.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { cursor } = JSON.parse(readFileSync(file, "utf8"));
    expect(cursor.offset).toBe(statSync(stage.transcript).size);
    stage.write(prompt("Now anchor."), answer("m2", ["Anchored."]));
    await stage.fire((context) => {
      const data = openSessionData(context);
      expect(data?.happened().state.words.map(({ text }) => text)).toEqual(["Sail.", "Now anchor."]);
      expect(data?.meter().steps).toBe(2);
      expect(data?.transcriptSize).toBe(statSync(stage.transcript).size);
      return {};
    }, "Stop");
  });

  it("reads the same in one go and in many", async () => {
    const [one, many] = [open(), open()];
    finishTask(one, 30);
    steps -= 30;
    for (let part = 0; part < 30; part++) {
      if (part === 0) finishTask(many, 1);
      else many.write(answer(`s${++steps}`, ["Sailing on."], heavy));
      await many.fire(stop, "Stop");
    }
    await one.fire(stop, "Stop");
    const read = (stage: HookStage) => {
      const { session, meter, trail } = JSON.parse(readFileSync(path.join(stage.folder, "state.json"), "utf8"));
      return { session, meter, trail };
    };
    expect(read(many)).toEqual(read(one));
  });

  it("starts over where its state is of another shape, or the transcript another one", async () => {
    const stage = open();
    stage.write(prompt("Sail."), answer("m1", ["Sailing."]));
    await stage.fire(stop, "Stop");
    const file = path.join(stage.folder, "state.json");
    const saved = JSON.parse(readFileSync(file, "utf8"));
    const older = JSON.stringify({ ...saved, format: 1, session: { ...saved.session, words: [] } });
    for (const broken of ["{", "{}", older, JSON.stringify({ ...saved, session: { words: 7 }, trail: {} })]) {
      writeFileSync(file, broken);
      expect((await stage.fire(stop, "Stop")).actions).toEqual([]);
      expect(JSON.parse(readFileSync(file, "utf8")).session).toEqual(saved.session);
    }
  });

  it("has nothing to do without a transcript", async () => {
    const stage = open();
    const answered = await stage.fire((context) => stop({ ...context, transcript: "/etc/passwd" }), "Stop");
    expect(answered).toEqual({ actions: [] });
    expect(existsSync(path.join(stage.folder, "state.json"))).toBe(false);
  });

  it("[R158] [R159] [R161] [R164] [R165] [R181] writes a cold task down at 003's own paths", async () => {
    const stage = open();
    finishTask(stage, 25);
    await stage.fire(stop, "Stop");
    expect(Object.keys(JSON.parse(readFileSync(coldFile(stage), "utf8")))).toEqual([
      "session_id",
      "task_id",
      "subject",
      "start_turn",
      "end_turn",
      "compressed_at",
      "files_modified",
      "commands_run",
      "key_outcomes",
      "errors_resolved",
    ]);
    const state = path.join(homeOf(stage), ".claude/data/context_queue/session-1_state.json");
    expect(JSON.parse(readFileSync(state, "utf8"))).toMatchObject({ lastCheckTurn: 28 });
    expect(readdirSync(path.dirname(coldFile(stage)))).toHaveLength(1);
  });

  it("[R166] [R177] writes a task that is cold down before a compaction, whatever the load, and tells it to the summariser", async () => {
    const stage = open();
    finishTask(stage, 25, { cache_read_input_tokens: 1000 });
    const { text, actions } = await stage.fire(preCompact, "PreCompact", { trigger: "manual" });
    expect(existsSync(coldFile(stage))).toBe(true);
    expect(actions?.filter(({ kind }) => kind === "failed")).toEqual([]);
    expect(text).toContain("▸ Task: Paint the hull");
  });

  it("[R163] writes it once", async () => {
    const stage = open();
    finishTask(stage, 25);
    await stage.fire(stop, "Stop");
    utimesSync(coldFile(stage), new Date(0), new Date(0));
    for (let step = 0; step < 12; step++) stage.write(answer(`s${++steps}`, ["Sailing on."], heavy));
    await stage.fire(stop, "Stop");
    expect(statSync(coldFile(stage)).mtimeMs).toBe(0);
  });

  it("[R159] [R161] writes nothing below 70 %, nor of a task that is still warm", async () => {
    const [light, warm] = [open(), open()];
    finishTask(light, 25, { cache_read_input_tokens: 100_000 });
    finishTask(warm, 15);
    for (const stage of [light, warm]) {
      await stage.fire(stop, "Stop");
      expect(existsSync(coldFile(stage))).toBe(false);
    }
  });

  it("[R157] looks in the middle of a turn too, after a call that changes something", async () => {
    const stage = open();
    finishTask(stage, 25);
    const call = (tool_name: string) => ({ tool_name, tool_use_id: "x", tool_input: {}, tool_response: {} });
    for (let step = 0; step < 9; step++) await stage.fire(postToolUse, "PostToolUse", call("Bash"));
    await stage.fire(postToolUse, "PostToolUse", call("Grep"));
    expect(existsSync(coldFile(stage))).toBe(false);
    await stage.fire(postToolUse, "PostToolUse", call("Edit"));
    expect(existsSync(coldFile(stage))).toBe(true);
  });

  it("[R156] leaves the transcript as it was", async () => {
    const stage = open();
    finishTask(stage, 25);
    const before = readFileSync(stage.transcript);
    await stage.fire(stop, "Stop");
    expect(readFileSync(stage.transcript).equals(before)).toBe(true);
  });
});

describe("sessionEnd", () => {
  it("[R62] lets the originals of a conversation go with its transcript, and keeps those that can be resumed", async () => {
    const stage = open();
    const gone = path.join(path.dirname(stage.folder), "gone");
    mkdirSync(gone);
    await stage.fire((context) => {
      const day = 24 * 60 * 60_000;
      const keep = (output: string, sessionId: string) =>
        createArtifactStore(context.project, () => context.nowMs() - 400 * day).keep({
          output,
          tool: sessionId,
          sessionId,
        });
      keep("nobody can ask for it", "gone");
      keep("a year old, and the person may go on with it", "session-1");
      return sessionEnd(context);
    }, "SessionEnd");
    const names = readdirSync(path.join(stage.project, ".plimsoll/artifacts")).filter((name) => name.endsWith(".md"));
    expect(names).toEqual([expect.stringContaining("session-1")]);
  });

  it("keeps what sessions of Codex put away in the same project", async () => {
    const stage = open();
    for (const [place, id] of [
      ["sessions/2026/01/01", "0199a000-0000-7000-8000-000000000001"],
      ["archived_sessions", "0199a000-0000-7000-8000-000000000002"],
    ] as const) {
      mkdirSync(path.join(path.dirname(stage.folder), id));
      const rollouts = path.join(homeOf(stage), ".codex", place);
      mkdirSync(rollouts, { recursive: true });
      writeFileSync(path.join(rollouts, `rollout-2026-01-01T00-00-00-${id}.jsonl`), "{}\n");
      createArtifactStore(stage.project, () => 0).keep({ output: `of ${id}`, tool: "exec_command", sessionId: id });
    }
    await stage.fire(sessionEnd, "SessionEnd");
    const names = readdirSync(path.join(stage.project, ".plimsoll/artifacts")).filter((name) => name.endsWith(".md"));
    expect(names).toHaveLength(2);
  });

  it("makes no folder in a project that has none", async () => {
    const stage = open();
    await stage.fire(sessionEnd, "SessionEnd");
    expect(existsSync(path.join(stage.project, ".plimsoll"))).toBe(false);
  });
});
