/** If red: a tool that is needed goes behind the tool search, or unused ones stay in every request. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { JsonObject } from "../../../core/json.ts";
import { locateDeferral, readDeferred, renewDeferral, returnToFront } from "./deferral.ts";

const temporary = createTemporaryFolder();

function createWorld() {
  const home = temporary.name("-home");
  const project = path.join(home, "demo");
  mkdirSync(project, { recursive: true });
  const environment = { HOME: home };
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  };
  return {
    put,
    file: locateDeferral(environment, project),
    /** Plants sessions of 25 requests each. */
    plant(sessions: number, lines: readonly string[], folder = project.replace(/[^a-zA-Z0-9]/g, "-")): void {
      for (let session = 0; session < sessions; session++) {
        const answers = Array.from({ length: 25 }, (_, index) => answer(`${session}-${index}`, "Bash"));
        put(`.claude/projects/${folder}/session-${session}.jsonl`, [...lines, ...answers, ""].join("\n"));
      }
    },
    renew: () => renewDeferral(environment, project, "dense"),
    names: () => readDeferred(environment, project).map(({ name }) => name),
    call: (name: string) => returnToFront(environment, project, name),
  };
}

const attach = (attachment: JsonObject): string => JSON.stringify({ type: "attachment", attachment });
const answer = (id: string, tool: string): string =>
  `{"type":"assistant","message":{"model":"m","id":"msg_${id}","content":[{"type":"tool_use","id":"t","name":"${tool}","input":{"said":"\\"type\\":\\"tool_use\\",\\"id\\":\\"x\\",\\"name\\":\\"Agent\\""}}]}}`;
const schema = (name: string, length = 400): JsonObject => ({ name, description: "ship ".repeat(length), schema: {} });
const SNAPSHOT = attach({
  type: "prompt_snapshot",
  systemPrompt: ["You are an agent."],
  tools: [schema("Bash"), schema("Agent", 900), schema("Workflow", 500), schema("mcp__sea__tide")],
});

describe("what a project's next session puts behind the search", () => {
  it("is nothing without evidence, and nothing that 19 sessions did not call", async () => {
    const world = createWorld();
    expect(world.names()).toEqual([]);
    await world.renew();
    expect(world.names()).toEqual([]);
    world.plant(19, [SNAPSHOT]);
    await world.renew();
    expect(world.names()).toEqual([]);
  });

  it("is what 20 sessions of 500 requests did not call, their subagents included", async () => {
    const world = createWorld();
    world.plant(20, [SNAPSHOT]);
    await world.renew();
    expect(world.names()).toEqual(["Agent", "Workflow", "mcp__sea__tide"]);
    world.put(
      `.claude/projects/${path.basename(world.file, ".json")}/session-3/subagents/agent-1.jsonl`,
      `${answer("sub", "Workflow")}\n`,
    );
    await world.renew();
    expect(world.names()).toEqual(["Agent", "mcp__sea__tide"]);
  });

  it("rests on the person's sessions where the project has too few, on every call of the project, and for a server's tool on 20 offers", async () => {
    const world = createWorld();
    world.plant(20, [SNAPSHOT], "-elsewhere");
    world.plant(1, [answer("own", "Workflow")]);
    await world.renew();
    expect(world.names()).toEqual(["Agent"]);
    world.plant(1, [answer("own", "Task")]);
    await world.renew();
    expect(world.names()).toEqual(["Workflow"]);
  });

  it("is nothing that the settings allow, a server's configuration pins, or a skill or an agent names", async () => {
    const world = createWorld();
    world.plant(20, [SNAPSHOT]);
    await world.renew();
    world.put(".claude/settings.json", JSON.stringify({ permissions: { allow: ["Workflow(x:*)", "mcp__sea__*"] } }));
    expect(world.names()).toEqual(["Agent"]);
    world.put(
      "demo/.claude/skills/rig/SKILL.md",
      "---\nname: rig\n---\nAn Agent of the harbour. Start one with the `Agent` tool.\n",
    );
    expect(world.names()).toEqual([]);
    world.put(".claude/settings.json", "{}");
    world.put("demo/.claude/skills/rig/SKILL.md", "An Agent of the harbour.\n");
    world.put("demo/.claude/agents/mate.md", "---\nname: mate\ntools: Read, Workflow\n---\nSail.\n");
    world.put("demo/.mcp.json", JSON.stringify({ mcpServers: { sea: { command: "sea", alwaysLoad: true } } }));
    expect(world.names()).toEqual(["Agent"]);
  });

  it("loses a tool for good once it is called, also while another session decides anew", async () => {
    const world = createWorld();
    world.plant(20, [SNAPSHOT]);
    await world.renew();
    const renewing = world.renew();
    world.call("Agent");
    await Promise.all([renewing, world.renew()]);
    expect(world.names()).toEqual(["Workflow", "mcp__sea__tide"]);
  });

  it.each(["", "{", "[]", '{"format":1,"tools":7}', '{"format":0,"tools":[{"name":"Agent","tokens":1}]}'])(
    "is nothing where the file says %j, until the records are read again",
    async (text) => {
      const world = createWorld();
      world.plant(20, [SNAPSHOT]);
      mkdirSync(path.dirname(world.file), { recursive: true });
      writeFileSync(world.file, text);
      expect(world.names()).toEqual([]);
      await world.renew();
      expect(world.names()).toEqual(["Agent", "Workflow", "mcp__sea__tide"]);
      expect(JSON.parse(readFileSync(world.file, "utf8"))).toMatchObject({ format: 1, returned: [] });
    },
  );

  it("never includes the four tools of nearly all work, the search and our own", async () => {
    const world = createWorld();
    const front = ["Bash", "Read", "Edit", "Write", "ToolSearch", "mcp__plimsoll__recall"].map((name) => schema(name));
    world.plant(20, [attach({ type: "prompt_snapshot", systemPrompt: [], tools: front })]);
    await world.renew();
    expect(world.names()).toEqual([]);
  });
});
