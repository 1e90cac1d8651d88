/** If red: an event that the engine does not know stops the client, or an ignored folder is read. */
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../test/support/fake-client.ts";
import { raiseCall } from "../../../test/support/raise-call.ts";
import type { JsonObject } from "../../core/json.ts";
import { type Engine, handleEvent, leaveSession, openEngine } from "./events.ts";

let fake: FakeClient;
let engine: Engine;
beforeEach(() => {
  fake = createFakeClient();
  engine = openEngine(fake.machine);
});

/** What the engine and the plugins below answer. */
const BELOW = { below: true };

/** Raises an event as the module hands it on. */
function raise(event: string, e: JsonObject = {}, answer: (e: JsonObject) => unknown = () => BELOW): Promise<unknown> {
  return handleEvent(engine, fake.client, event, e, async (given) => answer(given));
}
const call = (e: JsonObject, run: (e: JsonObject) => unknown = () => BELOW): Promise<unknown> =>
  raiseCall(raise, e, run);
const folder = (): string => `${fake.home}/.claude/data/plimsoll/sessions/${fake.session.id}`;
const prompt = (text: string): JsonObject => ({
  door: "prompt",
  uuid: text,
  message: { type: "user", content: [{ type: "text", text }] },
});

describe("the engine", () => {
  it("lets events pass that it does not know", async () => {
    for (const event of ["session.new-thing", "tool.new-thing", "command.new-thing"])
      expect(await raise(event)).toBe(BELOW);
  });

  it("shows the load at the start, and notes it in its journal", async () => {
    expect(await raise("session.start")).toBe(BELOW);
    expect(fake.statuses).toHaveLength(1);
    expect(fake.files.get(`${folder()}/deeds-module.jsonl`)).toContain('"event":"session.start"');
  });

  it("does nothing at all where it is switched off", async () => {
    fake.env.set("PLIMSOLL_OFF", "1");
    await raise("session.start");
    await raise("session.append", prompt("Never touch the chain."));
    expect(await raise("session.compact", { trigger: "auto", messages: [] })).toBe(BELOW);
    expect(await call({ tool: "Read", file_path: `${fake.session.root}/node_modules/a` })).toBe(BELOW);
    await raise("session.measure", { rateLimits: [] });
    expect(await raise("session.end")).toBe(BELOW);
    expect([fake.statuses, fake.appended, [...fake.files.keys()]]).toEqual([[], [], []]);
  });

  it("answers its own tool", async () => {
    expect(await raise("tool.call", { tool: "mcp__plimsoll__recall", handle: "call:x" })).toEqual({
      deny: expect.stringContaining("Nothing is kept under"),
    });
  });

  it("refuses a call into an ignored folder before it runs", async () => {
    const ran: JsonObject[] = [];
    const answered = await call({ tool: "Bash", command: "cat node_modules/a/b.js" }, (e) => ran.push(e));
    expect(answered).toEqual({ deny: expect.stringContaining("node_modules") });
    expect(ran).toEqual([]);
  });

  it("shows the person their own ban before a command breaks it, and lets the command run", async () => {
    const shown: number[] = [];
    const run = (command: string) =>
      call({ tool: "Bash", tool_use_id: command, command }, () => {
        shown.push(fake.logs.length);
        return BELOW;
      });
    await raise("session.append", prompt("Paint the load line. Never push."));
    expect([await run("git pull"), await run("npm test && git push")]).toEqual([BELOW, BELOW]);
    expect(shown).toEqual([0, 1]);
    expect(fake.logs).toEqual(['you said "Never push.", and the next command is npm test && git push']);
  });

  it("[R202] shows the person what an expensive worker costs before it is sent", async () => {
    const shown: number[] = [];
    const send = (prompt: string) =>
      call({ tool: "Agent", tool_use_id: "w", prompt }, () => shown.push(fake.logs.length));
    await send("Survey the hull.");
    await send("plank ".repeat(30_000));
    expect(shown).toEqual([0, 1]);
    expect(fake.logs[0]).toContain("this worker's prompt has about");
  });

  it("gives a worker the packet that the person asked for, and any other call its own input", async () => {
    fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify({ packets: true }));
    await raise("session.append", prompt("Paint the load line. Never use tar."));
    const given: JsonObject[] = [];
    const run = (e: JsonObject): unknown => given.push(e);
    await call({ tool: "Agent", tool_use_id: "w", description: "Check the seams", prompt: "Check them." }, run);
    await call({ tool: "Bash", tool_use_id: "b", command: "ls" }, run);
    expect(given[0]?.prompt).toMatch(/^Check them\.\n\n[\s\S]*Never use tar/);
    expect(given[1]).toEqual({ tool: "Bash", tool_use_id: "b", command: "ls" });
  });

  it("[R203] names both skills at the start if a model cannot follow both, and picks none", async () => {
    const skill = (name: string, rules: string): void => {
      const text = `---\nname: ${name}\ndescription: Never write tests.\n---\n${rules}`;
      fake.files.set(`${fake.session.root}/.claude/skills/${name}/SKILL.md`, text);
    };
    skill("caulk", "- Always use npm for packages.\n- Never commit the lock file.\n");
    skill("rig", "- Use pnpm for packages.\n- Write tests.\n");
    skill("sail", "- Push after every step.\n");
    await raise("session.start");
    await expect.poll(() => fake.logs).toHaveLength(1);
    expect(fake.logs[0]).toMatch(/caulk says "Always use npm.*rig says "Use pnpm.*None was picked/);
  });

  it("hears the structured record of a call before its row, and tells of documents when one was changed", async () => {
    const e = {
      tool: "Edit",
      tool_use_id: "c1",
      file_path: `${fake.session.root}/docs/hull.md`,
      old_string: "a",
      new_string: "Always use oakum.",
    };
    const result = {
      result: { filePath: e.file_path, originalFile: "a\n", oldString: "a", newString: "Always use oakum." },
    };
    expect(await call(e, () => result)).toBe(result);
    expect(fake.appended[0]).toContain("breaks these conventions");
  });

  it("tells the conversation nothing of a document that a subagent has changed", async () => {
    const filePath = `${fake.session.root}/docs/x.md`;
    const e = { tool: "Write", tool_use_id: "c1", file_path: filePath, content: "Never use tar." };
    const written = { result: { filePath } };
    await call({ ...e, agentId: "a1" }, () => written);
    expect(fake.appended).toEqual([]);
    await call(e, () => written);
    expect(fake.appended).toHaveLength(1);
  });

  it("counts the response at the end of each turn", async () => {
    await raise("session.append", prompt("Paint it."));
    await raise("session.measure");
    await raise("session.measure");
    const { policy } = JSON.parse(fake.files.get(`${folder()}/module-state.json`) ?? "{}");
    expect(policy.red.density.responsesInTask).toBe(2);
  });

  it("answers its command", async () => {
    expect(await raise("command.run", { command: "plimsoll", args: "help" })).toEqual({
      text: expect.stringContaining("/plimsoll open"),
    });
  });

  it("keeps what is known at the end of each turn, and a later process goes on from it", async () => {
    await raise("session.append", prompt("Never touch the chain."));
    expect(await raise("session.measure", { rateLimits: [] })).toBe(BELOW);
    expect(fake.files.get(`${folder()}/module-state.json`)).toContain("Never touch the chain.");
    expect(fake.files.get(`${folder()}/deeds-module.jsonl`)).toContain('"kind":"ran"');
  });

  it("is in another session after the end of one, which a clearing is too", async () => {
    await raise("session.append", prompt("Never touch the chain."));
    expect(await raise("session.end")).toBe(BELOW);
    const first = folder();
    fake.session.id = "5e5510a0-0000-4000-8000-000000000002";
    await raise("session.append", prompt("Paint it."));
    await raise("session.end");
    expect(fake.files.get(`${first}/module-state.json`)).toContain("Never touch the chain.");
    expect(fake.files.get(`${folder()}/module-state.json`)).not.toContain("Never touch the chain.");
  });

  it("gives the client its own line back at the end", async () => {
    fake.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "180000");
    fake.session.usedTokens = 20_000;
    await raise("session.append", prompt("Paint it."));
    for (let step = 0; step < 30; step++) {
      const say = {
        door: "response",
        uuid: `r${step}`,
        message: { type: "assistant", content: [{ type: "tool_use", id: `c${step}`, name: "Bash", input: {} }] },
      };
      const reported = {
        door: "tool-result",
        uuid: `t${step}`,
        message: {
          type: "user",
          content: [{ type: "tool_result", tool_use_id: `c${step}`, content: "plank ".repeat(1000) }],
        },
      };
      await raise("session.append", say);
      fake.session.usedTokens = 20_000 + step * 3_000;
      await raise("session.append", reported);
    }
    expect(fake.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe("100000");
    await raise("session.end");
    expect(fake.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW")).toBe("180000");
  });

  it("goes on as if it had not run where it fails, and writes down what failed", async () => {
    await raise("session.start");
    fake.block(`${folder()}/module-state.json`, "folder");
    expect(await raise("session.measure")).toBe(BELOW);
    expect(fake.files.get(`${folder()}/deeds-module.jsonl`)).toMatch(
      /"event":"session.measure".*"kind":"failed","why":"EISDIR/,
    );
  });

  it("has decided what the next session begins with when it ends, also after one turn", async () => {
    const records = `${fake.home}/.claude/projects/-other`;
    for (let at = 0; at < 300; at++) fake.files.set(`${records}/${at}.jsonl`, "{}\n");
    await raise("session.start");
    await raise("session.measure");
    await leaveSession(engine, fake.client);
    const base = [...fake.files.keys()].filter((file) => file.includes("/data/plimsoll/base/"));
    expect(base).toEqual([expect.stringMatching(/demo\.json$/)]);
  });

  it("tries again at the next event where the session could not be opened", async () => {
    const { id } = fake.session;
    fake.session.id = "..";
    expect(await raise("session.start")).toBe(BELOW);
    expect(fake.statuses).toEqual([]);
    fake.session.id = id;
    await raise("session.start");
    expect(fake.statuses).toHaveLength(1);
  });
});

describe("what the person sees", () => {
  it("is a true status after /clear, of which no start is told", async () => {
    await raise("session.start");
    await raise("session.append", prompt("Paint it."));
    fake.session.usedTokens = 150_000;
    await raise("session.measure");
    await raise("session.end", { reason: "clear" });
    expect(fake.statuses.at(-1)).toBe("⊖ 0 tool calls, size not known yet");
  });

  it("[R35] [R87] is the report in the seeds' form, with the budget where the start takes too much", async () => {
    await raise("session.start");
    await raise("session.append", prompt("Paint it."));
    const message = { type: "assistant", content: [{ type: "text", text: "Painted." }] };
    await raise("session.append", { door: "response", uuid: "r", message });
    fake.session.usedTokens = 90_000;
    await raise("session.measure");
    const answered = await raise("command.run", { command: "plimsoll", args: "health" });
    const report = JSON.stringify(answered);
    expect(report).toMatch(/^\{"text":"## Context Health\\n/);
    for (const line of ["- **Utilization**: 45%", "- **Status**: GREEN", "- **Recommendation**: continue"])
      expect(report).toContain(line);
    expect(report).toContain("### Context Budget");
  });

  it("is terse writing by command, on and off, which the model is told of at once", async () => {
    await raise("session.start");
    const on = await raise("command.run", { command: "caveman", args: "" });
    expect(on).toEqual({
      text: expect.stringContaining("is on"),
      context: [expect.stringContaining("Caveman mode is on")],
    });
    const off = await raise("command.run", { command: "caveman", args: "off" });
    expect(off).toEqual({ text: "terse writing is off", context: [expect.stringContaining("released")] });
  });
});
