/** If red: a conversation of the Responses API behind the gateway loses something or is refused. */
import http from "node:http";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../lab/replay/entry/memory-store.ts";
import {
  createResponsesApi,
  functionCall,
  type ResponsesApi,
  type ResponsesReply,
  thought,
  words,
} from "../api/responses-api.ts";
import { type Item, type ResponsesRequest, toApiRequest } from "../api/responses-body.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { expectLawful } from "../laws/verdict.ts";
import { lines } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const RECALL = "plimsoll_recall";
const TOOLS = [
  { type: "function", name: "exec_command", parameters: { type: "object" }, strict: false },
  { type: "web_search" },
];
const HEADERS = { "content-type": "application/json", "session-id": "s1", "thread-id": "s1" };

function said(text: string, role = "user"): Item {
  return { type: "message", role, content: [{ type: "input_text", text }] };
}

function output(callId: unknown, text: string): Item {
  return { type: "function_call_output", call_id: callId, output: text };
}

async function openApi(reply: (request: ResponsesRequest, index: number) => ResponsesReply): Promise<ResponsesApi> {
  const api = await createResponsesApi(reply);
  atEnd(() => api.close());
  return api;
}

interface Asking {
  readonly stream?: boolean;
  readonly kind?: string;
  readonly more?: object;
}

/** A client as Codex is one: the whole input each time, the same key, what it knows of itself in a header. */
async function ask(url: string, input: readonly Item[], { stream = true, kind = "turn", more = {} }: Asking = {}) {
  const body = {
    model: "gpt-5.6",
    stream,
    input,
    tools: TOOLS,
    tool_choice: "auto",
    store: false,
    prompt_cache_key: "s1",
  };
  const response = await fetch(`${url}/v1/responses`, {
    method: "POST",
    headers: { ...HEADERS, "x-codex-turn-metadata": JSON.stringify({ request_kind: kind }) },
    body: JSON.stringify({ ...body, ...more }),
  });
  const text = await response.text();
  if (!stream) return { status: response.status, text, items: readWhole(text), events: [] };
  const events = text
    .split("\n\n")
    .flatMap((frame) => /^data: (.*)$/m.exec(frame)?.[1] ?? [])
    .map((data): Readonly<Record<string, unknown>> => JSON.parse(data));
  const items = events.flatMap(({ type, item }) => (type === "response.output_item.done" ? [item as Item] : []));
  return { status: response.status, text, items, events };
}

function readWhole(text: string): readonly Item[] {
  const { output: items } = JSON.parse(text);
  return items ?? [];
}

/** A conversation of `rounds` calls, each with an output that is worth folding now and then. */
function createWork(rounds: number): (request: ResponsesRequest, index: number) => ResponsesReply {
  let round = 0;
  let recalls = 0;
  return ({ body }, index) => {
    const handles = [...new Set(JSON.stringify(body.input).match(/plimsoll:[0-9a-f]{12}/g) ?? [])];
    const thoughts = index % 2 === 0 ? [thought(`t${index}`)] : [];
    if (handles.length > 0 && index % 4 === 3) {
      const back = functionCall(RECALL, { handle: handles[recalls++ % handles.length] ?? "", lines: [1, 3] });
      if (index % 8 !== 3) return [...thoughts, back];
      return [...thoughts, back, functionCall("exec_command", { cmd: `survey ${round++}` })];
    }
    if (round >= rounds) return [words(`Done after ${round} and ${index}.`)];
    return [...thoughts, functionCall("exec_command", { cmd: `survey ${round++}` })];
  };
}

const OPENING = [
  said("You survey ships.", "developer"),
  said("<environment_context>here</environment_context>"),
  said("Survey the hull."),
];

describe("a conversation of the Responses API through the gateway", () => {
  it.each([true, false])(
    "loses nothing and says nothing that was not said, with recall over the wire (stream: %s)",
    async (stream) => {
      const api = await openApi(createWork(30));
      const folder = createFolder();
      const gateways = await Promise.all([openGateway(api.url, { folder }), openGateway(api.url, { folder })]);
      const input: Item[] = [...OPENING];
      for (let count = 0; count < 60; count++) {
        const { items, status, text } = await ask(gateways[count % 2]?.url ?? "", input, { stream });
        expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
        input.push(...items);
        const calls = items.filter(({ type }) => type === "function_call");
        if (calls.length === 0) break;
        expect(calls.map(({ name }) => name)).toEqual(["exec_command"]);
        const size = [3, 40, 420, 12, 150, 600][count % 6] ?? 3;
        input.push(...calls.map(({ call_id }) => output(call_id, `round ${count}\n${lines(size)}`)));
        if (count % 7 === 6) input.push(said(`And now part ${count}.`));
      }
      expect(input.at(-1)).toMatchObject({ role: "assistant" });
      expect(api.requests.flatMap(({ violations }) => violations)).toEqual([]);
      const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
      const verdict = await auditRun({
        requests: api.requests.map(toApiRequest),
        recall,
        options: { mayRewind: false },
      });
      expectLawful(verdict);
      const sum = (name: "recalls" | "edits" | "incidents"): number =>
        gateways.reduce((all, { totals }) => all + totals()[name], 0);
      expect(sum("incidents")).toBe(0);
      expect(sum("edits")).toBeGreaterThan(5);
      expect(sum("recalls")).toBeGreaterThan(5);
      expect(verdict.behindHandles).toBeGreaterThan(5);
    },
  );

  it("leaves a request that needs nothing as the bytes it came as, and hands the answer on as it came", async () => {
    const answer = 'event: response.created\ndata: {"type" : "response.created"}\n\n';
    const api = await openRawApi((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(answer);
    });
    const gateway = await openGateway(api.url);
    const bodies = [
      `{"model":"m", "input":"just words","stream":true}`,
      `{"model":"m","input":[ {"role":"user","content":"x"} , {"type":"item_reference","id":"i"}],"tools":[]}`,
      `{"model":"m","input":[{"role":"user","content":"\\u0061 1.50"}],"x":1.50}`,
    ];
    for (const body of bodies) {
      const response = await fetch(`${gateway.url}/v1/responses`, { method: "POST", body });
      expect(await response.text()).toBe(answer);
    }
    expect(api.requests.map(({ body }) => String(body))).toEqual(bodies);
  });

  it("decides nothing where the API itself remembers what was said before", async () => {
    const api = await openApi(() => [words("ok")]);
    const gateway = await openGateway(api.url);
    const call = { ...functionCall("exec_command", { cmd: "survey" }), call_id: "c1" };
    const input = [...OPENING, call, output("c1", lines(900))];
    for (const more of [{ previous_response_id: "resp_1" }, { conversation: { id: "conv_1" } }])
      await ask(gateway.url, input, { more });
    expect(api.requests.map(({ body }) => body.input)).toEqual([input, input]);
    await ask(gateway.url, input, { more: { previous_response_id: null } });
    expect(JSON.stringify(api.requests.at(-1)?.body.input)).toContain("plimsoll:");
  });

  it("refuses a WebSocket with a sentence, and nothing of it reaches the API", async () => {
    const api = await openApi(() => []);
    const gateway = await openGateway(api.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "x",
      };
      http
        .get(`${gateway.url}/v1/responses`, { headers }, (answer) => resolve(answer.resume().statusCode))
        .on("error", reject);
    });
    expect([status, api.upgrades(), api.requests.length]).toEqual([426, 0, 0]);
  });

  it.each(["item", "text"] as const)(
    "answers a compaction asked for by %s without a model, twice, and nothing is lost",
    async (how) => {
      const api = await openApi(createWork(24));
      const folder = createFolder();
      const gateways = await Promise.all([1, 2].map(() => openGateway(api.url, { folder, compaction: "answer" })));
      const url = (count: number): string => gateways[count % 2]?.url ?? "";
      let input: Item[] = [...OPENING];
      let history: Item[] = [];
      let compactions = 0;
      for (let count = 0; count < 60; count++) {
        if (count % 9 === 8) {
          const question = how === "item" ? { type: "compaction_trigger" } : said("Create a handoff summary.");
          const before = api.requests.length;
          const { items, status } = await ask(url(count), [...input, question], { kind: "compaction" });
          expect([status, items.length, api.requests.length]).toEqual([200, 1, before]);
          compactions++;
          const spoken = input.filter(({ role, content }) => role === "user" && !isSummary(content));
          const [stand] = items;
          const summary = how === "item" ? (stand as Item) : said(`Another language model wrote: ${textOf(stand)}`);
          // As the client does: instructions and surroundings anew, what the person said, and what stands for the rest.
          input = [...OPENING.slice(0, 1), said(`day ${count}`, "developer"), ...spoken, summary];
        }
        const { items, status, text } = await ask(url(count), input);
        expect([status, text.slice(0, 300)]).toEqual([200, expect.anything()]);
        input.push(...items);
        const calls = items.filter(({ type }) => type === "function_call");
        if (calls.length === 0) break;
        const results = calls.map(({ call_id }) =>
          output(call_id, `round ${count}\n${lines([3, 420, 40][count % 3] ?? 3)}`),
        );
        input.push(...results);
        history = [...history, ...results];
      }
      expect(compactions).toBeGreaterThan(1);
      expect(api.requests.flatMap(({ violations }) => violations)).toEqual([]);
      const last = JSON.stringify(api.requests.at(-1)?.body.input);
      expect(last.split("Survey the hull.")).toHaveLength(2);
      expect(last).toContain("day 8");
      const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
      expectLawful(await auditRun({ requests: api.requests.map(toApiRequest), recall, options: { mayRewind: false } }));
    },
  );

  const OUTPUTS: readonly (readonly [string, object, (text: string) => object])[] = [
    ["function", { name: "exec_command", arguments: "{}" }, (text) => ({ output: text })],
    ["function", { name: "read_in_parts", arguments: "{}" }, (text) => ({ output: [{ type: "input_text", text }] })],
    ["custom_tool", { name: "patch", input: "x" }, (text) => ({ output: text })],
    ["local_shell", { action: { type: "exec", command: ["survey"] }, status: "completed" }, (output) => ({ output })],
  ];
  it.each(OUTPUTS)("keeps every character of an output of half a megabyte: %s, %o", async (kind, how, answerWith) => {
    const text = `${lines(6_000)}\nthe last line`;
    const api = await openApi(() => [words("ok")]);
    const gateway = await openGateway(api.url, { compaction: "answer" });
    const [call, back] = [`${kind}_call`, `${kind}_call_output`].map((type) => ({ type, call_id: "c1" }));
    const input = [...OPENING, { ...call, ...how }, { ...back, ...answerWith(text) }] as Item[];
    await ask(gateway.url, input);
    const [handle = ""] = /plimsoll:[0-9a-f]{12}/.exec(JSON.stringify(api.requests.at(-1)?.body.input)) ?? [];
    expect(await gateway.store.readOriginal(handle)).toBe(text);
    // What stands for the history after a compaction is the history as it came.
    const { text: stand } = await ask(gateway.url, [...input, said("Go on."), { type: "compaction_trigger" }]);
    const [history = ""] = /plimsoll:[0-9a-f]{12}/.exec(stand) ?? [];
    expect(await gateway.store.readOriginal(history)).toContain(JSON.stringify(text));
  });

  it("says to come again where what was compacted cannot be read now, and goes on where it is nowhere", async () => {
    const api = await openApi(() => [words("ok")]);
    const store = createMemoryStore(() => undefined);
    let isAway = true;
    const gateway = await openGateway(api.url, {
      store: {
        ...store,
        readOriginal: (handle) => (isAway ? Promise.reject(new Error("away")) : store.readOriginal(handle)),
      },
    });
    const input = [...OPENING, { type: "compaction", encrypted_content: "plimsoll:0123456789ab" }];
    expect(await ask(gateway.url, input)).toMatchObject({ status: 503 });
    expect(api.requests).toEqual([]);
    isAway = false;
    expect(await ask(gateway.url, input)).toMatchObject({ status: 200 });
    expect(JSON.stringify(api.requests.at(-1)?.body.input.at(-1))).toContain(
      "stored elsewhere as plimsoll:0123456789ab",
    );
  });
});

function textOf(item: Item | undefined): string {
  const [part] = Array.isArray(item?.content) ? item.content : [];
  return String(part?.text);
}

function isSummary(content: unknown): boolean {
  return JSON.stringify(content).includes("Another language model wrote");
}
