/** If red: the client cannot be run by these tests at all. */

import { readFile } from "node:fs/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isRecord } from "../api/messages-body.ts";
import { answer, call, hang } from "../api/replies.ts";
import { createScriptedApi, type ScriptedApi } from "../api/scripted-api.ts";
import { STREAMED } from "../api/stream-events.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { some } from "../support/depth.ts";
import { CLIENT_VERSIONS, fetchClient } from "./fetch-client.ts";
import { runClient } from "./run-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

const opened: { readonly api: ScriptedApi; readonly workspace: Workspace }[] = [];

async function open(
  scenario: Parameters<typeof createScriptedApi>[0],
): Promise<{ api: ScriptedApi; workspace: Workspace }> {
  const pair = { api: await createScriptedApi({ pace: STREAMED, ...scenario }), workspace: await createWorkspace() };
  opened.push(pair);
  return pair;
}

afterEach(async () => {
  for (const { api, workspace } of opened.splice(0)) {
    await api.close();
    await workspace.remove();
  }
});

describe.each(some(1, CLIENT_VERSIONS))("the client %s", (version) => {
  beforeAll(async () => {
    await fetchClient(version);
  });

  it("runs a tool loop of two steps and writes a transcript with usage", async () => {
    const { api, workspace } = await open({
      main: [answer("I look.", call("Bash", { command: "cat depth.txt" })), answer("Twelve fathoms.")],
    });
    await workspace.writeFile("depth.txt", "12 fathoms\n");
    const { home, cwd } = workspace;
    const run = await runClient({
      version,
      prompts: ["How deep?"],
      model: "claude-sonnet-4-6",
      home,
      cwd,
      apiUrl: api.url,
    });

    expect(run.exitCode).toBe(0);
    expect(run.events.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "Twelve fathoms." });
    expect(api.requests.map((request) => request.lane)).toEqual(["main", "main"]);
    expect(api.requests.flatMap((request) => validateMessages(request.body))).toEqual([]);
    expect(api.requests[0]?.path).toBe("/v1/messages?beta=true");
    expect(api.requests[0]?.headers["x-claude-code-session-id"]).toBe(run.sessionId);
    expect(JSON.stringify(api.requests[1]?.body.messages.at(-1))).toContain("12 fathoms");

    const [session] = run.sessions;
    expect(session?.sessionId).toBe(run.sessionId);
    expect(await readContexts(session?.transcript ?? "")).toHaveLength(3);
  });

  it("takes several prompts in one process", async () => {
    const { api, workspace } = await open({ main: [answer("Port."), answer("Starboard.")] });
    const { home, cwd } = workspace;
    const run = await runClient({
      version,
      prompts: ["Left?", "Right?"],
      model: "claude-sonnet-4-6",
      home,
      cwd,
      apiUrl: api.url,
    });

    const results = run.events.filter((event) => event.type === "result").map((event) => event.result);
    expect(results).toEqual(["Port.", "Starboard."]);
    expect(run.sessions).toHaveLength(1);
  });

  it("is ended by its timeout when the API hangs", async () => {
    const { api, workspace } = await open({ main: [hang()] });
    const { home, cwd } = workspace;
    const run = await runClient({ version, prompts: ["Wait."], home, cwd, apiUrl: api.url, timeoutMs: 5_000 });

    expect(run.isTimedOut).toBe(true);
  });
});

/** The context that each assistant line reports, in tokens. */
async function readContexts(transcript: string): Promise<readonly number[]> {
  const lines = (await readFile(transcript, "utf8")).trimEnd().split("\n");
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map((line) => (line.type === "assistant" && isRecord(line.message) ? line.message.usage : null))
    .filter(isRecord)
    .map((usage) => Number(usage.cache_creation_input_tokens) + Number(usage.cache_read_input_tokens))
    .filter((tokens) => tokens > 10_000);
}
