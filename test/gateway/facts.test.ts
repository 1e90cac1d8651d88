/** If red: what an answer showed of a conversation is forgotten before its next request. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { expect, it } from "vitest";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import { answer, call, think } from "../api/replies.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { lines, post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const ROUNDS = 24;
const TOOLS: Anthropic.Tool[] = [{ name: "bash", input_schema: { type: "object" } }];

function readFacts(folder: string): readonly unknown[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".facts.json"))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")));
}

it("what an answer told of a conversation is kept for the next request, wherever it arrives", async () => {
  const api = await openRawApi();
  const { url, folder } = await openGateway(api.url);
  const history = toolLoop(3, 20);
  for (const end of [1, 3, 5]) await (await post(url, renderBody(history.slice(0, end)))).arrayBuffer();
  await expect.poll(() => readFacts(folder)).toMatchObject([{ requests: 3 }]);
});

it("a conversation whose facts are never kept is lawful all the same, from instances that know nothing of each other", async () => {
  let rounds = 0;
  const api = await createScriptedApi({
    main: () =>
      rounds++ < ROUNDS
        ? answer(
            ...(rounds % 3 === 0 ? [think("Hm.")] : []),
            `On to ${rounds}.`,
            call("bash", { command: `survey ${rounds}` }),
          )
        : answer("Done."),
  });
  atEnd(() => api.close());
  const folder = createFolder();
  // Each stands for a process that ends between the answer and the save.
  const open = async () =>
    openGateway(api.url, { folder, store: { ...createFileStore({ folder }), saveFacts: () => undefined } });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Survey the hull." }];
  let edits = 0;
  for (let round = 0; ; round++) {
    const gateway = await open();
    const client = new Anthropic({ apiKey: "made-up", baseURL: gateway.url, maxRetries: 0 });
    const request = { model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages };
    const { content } = await client.messages.create(request);
    edits += gateway.totals().edits;
    messages.push({ role: "assistant", content });
    const uses = content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) break;
    const output = `round ${round}\n${lines([3, 300, 40, 420][round % 4] ?? 3)}`;
    messages.push({
      role: "user",
      content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: output })),
    });
  }
  expect(readFacts(folder)).toEqual([]);
  const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
  const verdict = await auditRun({ requests: api.requests, recall, options: { mayRewind: false } });
  expectLawful(verdict);
  expect(edits).toBeGreaterThan(3);
  // What is collapsed changes the prefix; what is folded was never sent.
  expect(verdict.prefixBreaks.length).toBeLessThan(edits);
});
