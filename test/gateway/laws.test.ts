/** If red: a conversation behind the gateway loses something, or holds what was never said. */
import path from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, think } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { expectLawful, type Verdict } from "../laws/verdict.ts";
import { tries } from "../support/depth.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { readApart } from "./thread.ts";

type Messages = Anthropic.MessageParam[];

const ROUNDS = tries(36, 120);
const RECALL = "plimsoll_recall";
const TOOLS: Anthropic.Tool[] = [{ name: "bash", input_schema: { type: "object" } }];

/** Some of it small, some to be folded at birth. */
function output(round: number): string {
  const lines = [3, 40, 420, 12, 150, 600][round % 6] ?? 3;
  const line = (at: number) => `round ${round}: plank ${at} of the hull was caulked and painted on day ${at * round}`;
  return Array.from({ length: lines }, (_, at) => line(at)).join("\n");
}

/** A model that works through its rounds, thinks now and then, and fetches something back every few requests. */
function createModel(): (request: ApiRequest, index: number) => Reply {
  let rounds = 0;
  let recalls = 0;
  return ({ body }, index) => {
    const said = JSON.stringify(body.messages);
    const handles = [...new Set(said.match(/plimsoll:[0-9a-f]{12}/g) ?? [])];
    const thought = index % 3 === 0 ? [think(`Thought ${index}.`)] : [];
    if (handles.length > 0 && index % 4 === 3) {
      const handle = handles[recalls++ % handles.length] ?? "";
      const back = call(RECALL, { handle, lines: [1, 3] });
      const own = call("bash", { command: `survey ${rounds}` });
      if (index % 8 !== 3) return answer(...thought, `Looking back ${index}.`, back);
      rounds++;
      return answer(...thought, back, `Looking on and back ${index}.`, own);
    }
    if (rounds >= ROUNDS) return answer(`Done after ${rounds}.`);
    return answer(...thought, `On to ${index}.`, call("bash", { command: `survey ${rounds++}` }));
  };
}

interface Run {
  readonly verdict: Verdict;
  readonly recalls: number;
  readonly edits: number;
  readonly incidents: number;
}

/** `echo` is what a client makes of an answer before it sends it back, `change` of its history before each request. */
interface Habits {
  readonly instances: number;
  readonly stream: boolean;
  /** Bodies are read in a thread of their own, in each instance. */
  readonly isApart?: boolean;
  readonly echo?: (content: Anthropic.ContentBlock[]) => Anthropic.ContentBlockParam[];
}

async function run({ instances, stream, isApart, echo = (content) => content }: Habits): Promise<Run> {
  const api = await createScriptedApi({ main: createModel() });
  atEnd(() => api.close());
  const folder = createFolder();
  const options = { folder, ...(isApart ? { thread: readApart(folder) } : {}) };
  const gateways = await Promise.all(Array.from({ length: instances }, () => openGateway(api.url, options)));
  const clients = gateways.map(({ url }) => new Anthropic({ apiKey: "made-up", baseURL: url, maxRetries: 0 }));
  const messages: Messages = [{ role: "user", content: "Survey the hull." }];
  for (let count = 0; ; count++) {
    const client = clients[count % clients.length] ?? new Anthropic();
    const request = { model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages };
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    messages.push({ role: "assistant", content: echo(message.content) });
    const uses = message.content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) break;
    expect(uses.map(({ name }) => name)).toEqual(["bash"]);
    const results = uses.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: output(count) }));
    const words = { type: "text" as const, text: `And now part ${count}.` };
    messages.push({ role: "user", content: count % 7 === 6 ? [...results, words] : results });
  }
  const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
  const verdict = await auditRun({ requests: api.requests, recall, options: { mayRewind: false } });
  const sum = (pick: (totals: ReturnType<(typeof gateways)[number]["totals"]>) => number): number =>
    gateways.reduce((all, gateway) => all + pick(gateway.totals()), 0);
  return { verdict, recalls: sum((t) => t.recalls), edits: sum((t) => t.edits), incidents: sum((t) => t.incidents) };
}

describe("behind the gateway nothing is lost, and nothing stands there that was not said", () => {
  it.each<[string, Habits]>([
    ["a client that streams", { instances: 1, stream: true }],
    ["one that does not", { instances: 1, stream: false }],
    ["three instances that share a store, each asked in turn", { instances: 3, stream: true }],
    ["two of them that read in threads of their own", { instances: 2, stream: true, isApart: true }],
  ])("with %s", async (_name, habits) => {
    const { verdict, recalls, edits, incidents } = await run(habits);
    expectLawful(verdict);
    expect({ incidents }).toEqual({ incidents: 0 });
    // A run in which nothing happened would break no law.
    expect(edits).toBeGreaterThan(5);
    expect(recalls).toBeGreaterThan(5);
    expect(verdict.behindHandles).toBeGreaterThan(15);
    // What is collapsed changes the prefix; recalls and folds do not.
    expect(verdict.prefixBreaks.length).toBeLessThan(edits);
  });

  it("with a client that sends no thinking back", async () => {
    const echo: Habits["echo"] = (content) => content.filter(({ type }) => type !== "thinking");
    const { verdict, recalls } = await run({ instances: 2, stream: true, echo });
    expect(verdict.untrue).toEqual([]);
    expect(verdict.invalid).toEqual([]);
    expect(recalls).toBeGreaterThan(5);
  });
});
