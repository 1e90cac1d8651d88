/** If red: LangChain behind the gateway loses results, or gets old ones for new calls. */
import path from "node:path";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call, think } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { tries } from "../support/depth.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";

const ROUNDS = tries(18, 60);
const SURVEY = { name: "survey", description: "Surveys a deck.", schema: { type: "object", properties: {} } } as const;

/** Some of it small, some to be folded at birth; the run of the tool stands in every line. */
function report(round: number, run: string): string {
  const lines = [3, 420, 40, 600][round % 4] ?? 3;
  return Array.from(
    { length: lines },
    (_, at) => `${run} of round ${round}: plank ${at} was caulked on day ${at * 7}`,
  ).join("\n");
}

/** Works through its rounds, thinks now and then, and fetches something back every few requests, next to calls of its own and alone. */
function createSurveyor(): (request: ApiRequest, index: number) => Reply {
  let rounds = 0;
  return ({ body }, index) => {
    const handles = JSON.stringify(body.messages).match(/plimsoll:[0-9a-f]{12}/g) ?? [];
    const thought = index % 3 === 0 ? [think(`Thought ${index}.`)] : [];
    const handle = handles[index % Math.max(1, handles.length)];
    if (handle && index % 4 === 3) {
      const back = call("plimsoll_recall", { handle, lines: [1, 3] });
      if (index % 8 === 3) return answer(...thought, back, `Both ${index}.`, call("survey", { deck: rounds++ }));
      return answer(...thought, `Back ${index}.`, back);
    }
    if (rounds >= ROUNDS) return answer(`Done after ${rounds}.`);
    return answer(...thought, `On to ${index}.`, call("survey", { deck: rounds++ }));
  };
}

interface Agent {
  /** One request, and the model's answer to it. */
  ask(messages: readonly BaseMessage[]): Promise<AIMessageChunk>;
}

/** As LangChain talks to the API, in one piece or put together from its stream. */
function createAgent(urls: readonly string[], isStreamed: boolean): Agent {
  const survey = tool(async () => "", SURVEY);
  const models = urls.map((anthropicApiUrl) =>
    new ChatAnthropic({
      model: "claude-sonnet-4-6",
      apiKey: "made-up",
      anthropicApiUrl,
      maxTokens: 1024,
      maxRetries: 0,
    }).bindTools([survey]),
  );
  let asked = 0;
  return {
    async ask(messages) {
      const model = models[asked++ % models.length];
      if (!model) throw new Error("there is no gateway");
      if (!isStreamed) return model.invoke([...messages]);
      let whole: AIMessageChunk | undefined;
      for await (const chunk of await model.stream([...messages])) whole = whole ? whole.concat(chunk) : chunk;
      return whole ?? new AIMessageChunk("");
    },
  };
}

interface Habits {
  readonly instances: number;
  readonly isStreamed: boolean;
  /** Every so many rounds the newest call is run again under its id, as a graph does that goes on from its last checkpoint. */
  readonly runsAgainEvery?: number;
}

async function run({ instances, isStreamed, runsAgainEvery }: Habits) {
  const api = await createScriptedApi({ main: createSurveyor() });
  atEnd(() => api.close());
  const folder = createFolder();
  const gateways = await Promise.all(Array.from({ length: instances }, () => openGateway(api.url, { folder })));
  const agent = createAgent(
    gateways.map(({ url }) => url),
    isStreamed,
  );
  const messages: BaseMessage[] = [new HumanMessage("Survey the hull.")];
  const answerCalls = (said: AIMessageChunk, round: number, name: string): ToolMessage[] =>
    (said.tool_calls ?? []).map(({ id = "" }) => new ToolMessage({ tool_call_id: id, content: report(round, name) }));
  const replaced: string[] = [];
  for (let round = 0; ; round++) {
    const said = await agent.ask(messages);
    messages.push(said);
    if ((said.tool_calls ?? []).length === 0) break;
    expect(said.tool_calls?.map(({ name }) => name)).toEqual(["survey"]);
    const first = answerCalls(said, round, "first run");
    if (runsAgainEvery !== undefined && round % runsAgainEvery === runsAgainEvery - 1) {
      // What the model says to the first run is thrown away with it.
      await agent.ask([...messages, ...first]);
      replaced.push(`first run of round ${round}:`);
      messages.push(...answerCalls(said, round, "second run"));
    } else messages.push(...first);
  }
  const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
  const options = { mayRewind: runsAgainEvery !== undefined };
  const verdict = await auditRun({ requests: api.requests, recall, options });
  const sum = (pick: (totals: ReturnType<(typeof gateways)[number]["totals"]>) => number): number =>
    gateways.reduce((all, gateway) => all + pick(gateway.totals()), 0);
  const counts = { recalls: sum((t) => t.recalls), edits: sum((t) => t.edits), incidents: sum((t) => t.incidents) };
  return { api, verdict, replaced, messages, ...counts };
}

describe("LangChain behind the gateway loses nothing, and nothing stands there that was not said", () => {
  it.each<[string, Habits]>([
    ["in one piece", { instances: 1, isStreamed: false }],
    ["streamed", { instances: 1, isStreamed: true }],
    ["from two instances in turn", { instances: 2, isStreamed: true }],
  ])("%s", async (_name, habits) => {
    const { verdict, recalls, edits, incidents, messages } = await run(habits);
    expectLawful(verdict);
    expect({ incidents }).toEqual({ incidents: 0 });
    expect(edits).toBeGreaterThan(3);
    expect(recalls).toBeGreaterThan(2);
    expect(verdict.behindHandles).toBeGreaterThan(3);
    // What was fetched for the model never shows to the client.
    expect(JSON.stringify(messages)).not.toContain("plimsoll_recall");
  });

  it("with tools that are run again under their ids", async () => {
    const { api, verdict, replaced, recalls } = await run({ instances: 2, isStreamed: false, runsAgainEvery: 5 });
    // Results differ from those before them, and those are gone, only where the client itself sent others.
    expect(verdict.untrue.map(({ said }) => said.includes("second run"))).toEqual(replaced.map(() => true));
    for (const name of replaced)
      expect(
        verdict.missing.some(({ excerpt }) => excerpt.includes(name)),
        name,
      ).toBe(true);
    // With a first run goes what the model said to it, recalls among it: it was in one request only.
    const others = verdict.missing.filter(({ excerpt }) => !replaced.some((name) => excerpt.includes(name)));
    expect(others.filter(({ firstSeen, goneAt }) => goneAt - firstSeen !== 1)).toEqual([]);
    expect(verdict.invalid).toEqual([]);
    expect(replaced.length).toBeGreaterThan(1);
    expect(recalls).toBeGreaterThan(2);
    const last = JSON.stringify(api.requests.at(-1)?.body.messages);
    for (const old of replaced) expect(last).not.toContain(old);
    expect(last).toContain("second run of round");
  });
});
