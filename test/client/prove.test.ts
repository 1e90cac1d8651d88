/** If red: `plimsoll prove` compares what differs in more than the plugin, or spends more than it was allowed. */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { fetchClient } from "./fetch-client.ts";
import { renderEnvironment } from "./render-command.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

// Whoever runs `plimsoll prove` pays for it: the pairs differ in the plugin alone, the limit holds, and their folder stays as it is.
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(): Promise<{ readonly api: ScriptedApi; readonly workspace: Workspace }> {
  const command = "echo done > made.txt; seq -f 'line %g of a long result' 1 400";
  const api = await createScriptedApi({
    main: (request) =>
      JSON.stringify(request.body.messages).includes("tool_result")
        ? answer("It is made.")
        : answer("I make it.", call("Bash", { command })),
  });
  const workspace = await createWorkspace();
  opened.push(api, { close: () => workspace.remove() });
  mkdirSync(path.join(workspace.cwd, ".plimsoll"));
  writeFileSync(path.join(workspace.cwd, ".plimsoll", "notes.md"), "of an earlier session");
  return { api, workspace };
}

async function prove({ api, workspace }: Awaited<ReturnType<typeof open>>, ...words: readonly string[]) {
  const { home, cwd } = workspace;
  const tasks = [{ name: "make", prompts: ["Make it."], check: "test -f made.txt && test ! -e .plimsoll/notes.md" }];
  writeFileSync(path.join(cwd, "tasks.json"), JSON.stringify({ tasks, args: ["--dangerously-skip-permissions"] }));
  const temporary = path.join(home, "tmp");
  mkdirSync(temporary, { recursive: true });
  const environment = renderEnvironment({ version: "2.1.325", prompts: [], cwd, home, apiUrl: api.url }, temporary);
  const client = await fetchClient("2.1.325");
  return runPlimsoll(["prove", "tasks.json", "--program", client, "--model", "claude-sonnet-4-6", ...words], {
    environment,
    directory: cwd,
    nowMs: Date.now,
  });
}

describe("plimsoll prove", () => {
  it("runs pairs that differ in the plugin alone, checks the work, and bills what was recorded", async () => {
    const stage = await open();
    const before = readdirSync(stage.workspace.cwd);
    const ended = await prove(stage, "--max-usd", "5", "--pairs", "2", "--out", "proof.json", "--yes");
    const text = readFileSync(path.join(stage.workspace.cwd, "proof.json"), "utf8");
    const proof = JSON.parse(text);

    expect(ended).toMatchObject({ exitCode: 0 });
    expect(ended.output).toContain("Checks passed: 2 of 2 with Plimsoll, 2 of 2 without.");
    expect(proof).toMatchObject({
      status: "done",
      client: "2.1.325",
      pairs: 2,
      checks: { with: 2, without: 2, of: 2 },
    });
    expect(proof.runs.map(({ first }: { first: string }) => first)).toEqual(["without", "with"]);
    const tools = stage.api.requests.map(({ body }) => JSON.stringify(body.tools).includes("mcp__plimsoll__recall"));
    expect(tools).toEqual([false, false, true, true, true, true, false, false]);
    for (const one of proof.runs)
      for (const side of [one.with, one.without]) {
        expect(side).toMatchObject({ requests: 2, hasPassed: true, hasFailed: false });
        // The client's own count and ours are of the same requests.
        expect(side.usd).toBeCloseTo(side.clientUsd, 4);
      }
    expect(text).not.toMatch(/Make it|made\.txt|\/tmp|home/);
    // The folder of the person is as it was, but for the two files of the proof.
    expect(readdirSync(stage.workspace.cwd)).toEqual([...before, "proof.json", "tasks.json"].sort());
  });

  it("asks first: without a yes nothing is sent", async () => {
    const stage = await open();
    const ended = await prove(stage, "--max-usd", "5");

    expect(ended.exitCode).toBe(1);
    expect(ended.output).toContain("6 runs of Claude Code 2.1.325: 1 task, 3 pairs each");
    expect(ended.output).toContain("cost at most $5.00");
    expect(stage.api.requests).toEqual([]);
  });

  it("stops before a pair that could pass the limit", async () => {
    const stage = await open();
    const ended = await prove(stage, "--max-usd", "0.5", "--pairs", "9", "--yes", "--json");
    const { status, pairs, withUsd, withoutUsd } = JSON.parse(ended.output);

    expect(status).toBe("limit");
    expect(pairs).toBeLessThan(9);
    expect(pairs).toBeGreaterThan(0);
    expect(withUsd + withoutUsd).toBeLessThanOrEqual(0.5);
  });
});
