/** If red: a client without a recall tool is not given back what was folded, or gets a broken stream. */
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import type { GatewayStore } from "../../src/entry/gateway/store/gateway-store.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, breakStream, call, hang, overflow, overloaded, think } from "../api/replies.ts";
import type { Reply, Scenario } from "../api/scenario.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { validateRequest } from "../api/validate-request.ts";
import { tries } from "../support/depth.ts";
import { post, renderBody, toolLoop } from "./conversation.ts";
import { atEnd, createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const CLAUSE = "Clause 17.4: the charterer pays demurrage of 4,311 dollars a day.";
const RECALL = "plimsoll_recall";
const TOOLS: Anthropic.Tool[] = [{ name: "load_document", input_schema: { type: "object" } }];

/** A contract of about so many characters with the clause somewhere in it, out of any preview's sight in its middle. */
function contract(characters: number, share = 0.5): string {
  const line = (index: number): string =>
    `Section ${index}: the parties agree that the vessel proceeds with reasonable dispatch to berth ${index * 31}.`;
  const lines = Array.from({ length: Math.ceil(characters / line(1).length) }, (_, index) => line(index + 1));
  return lines.toSpliced(Math.round(share * lines.length), 0, CLAUSE).join("\n");
}

const open = async (main: Scenario["main"], folder = createFolder()) => {
  const api = await createScriptedApi({ main });
  atEnd(() => api.close());
  const gateway = await openGateway(api.url, { folder });
  const connect = (url: string): Anthropic => new Anthropic({ apiKey: "made-up", baseURL: url, maxRetries: 0 });
  return { api, gateway, client: connect(gateway.url), connect };
};

type Messages = Anthropic.MessageParam[];

interface Ask {
  readonly messages: Messages;
  readonly stream: boolean;
  readonly more?: Partial<Anthropic.MessageCreateParamsNonStreaming>;
}

function ask(client: Anthropic, { messages, stream, more = {} }: Ask): Promise<Anthropic.Message> {
  const request = { model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages, ...more };
  return stream ? client.messages.stream(request).finalMessage() : client.messages.create(request);
}

/** An agent that answers every call of its own tool with what it holds, until the model calls no more. */
async function loop(client: Anthropic, { messages, stream, more }: Ask, output: string): Promise<Messages> {
  const said = [...messages];
  for (;;) {
    const message = await ask(client, { messages: said, stream, ...(more ? { more } : {}) });
    said.push({ role: "assistant", content: message.content });
    const uses = message.content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) return said;
    said.push({
      role: "user",
      content: uses.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: output })),
    });
  }
}

const ASKED: Messages = [{ role: "user", content: "What does clause 17.4 say?" }];

function sentText({ body }: ApiRequest): string {
  return JSON.stringify(body.messages);
}

function findHandle(request: ApiRequest): string {
  return /plimsoll:[0-9a-f]{12}/.exec(sentText(request))?.[0] ?? "";
}

/** A model that calls for the document, fetches what it cannot see, and says what it has seen. */
function reader(request: ApiRequest, index: number): Reply {
  if (index === 0) return answer(think("I need it."), "I look it up.", call("load_document", { name: "charter" }));
  if (sentText(request).includes(CLAUSE)) return answer(think("There it is."), `It says: ${CLAUSE}`);
  const canRecall = request.body.tools.some(({ name }) => name === RECALL);
  if (!canRecall) return answer("The document does not say.");
  return answer(think("Folded."), "One moment.", call(RECALL, { handle: findHandle(request), pattern: "17\\.4" }));
}

function requireRequest(requests: readonly ApiRequest[], index: number): ApiRequest {
  const request = requests[index];
  if (!request) throw new Error(`there is no request ${index}`);
  return request;
}

/** The conversation as far as the document: the next request brings it. */
async function loadDocument(client: Anthropic, document: string): Promise<Messages> {
  const first = await ask(client, { messages: ASKED, stream: false });
  const id = first.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))[0] ?? "";
  return [
    ...ASKED,
    { role: "assistant", content: first.content },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: document }] },
  ];
}

const faultsOf = (requests: readonly ApiRequest[]) => requests.flatMap(({ body }) => validateRequest(body));

describe.each([{ stream: true }, { stream: false }])(
  "a client without recall of its own, streaming: $stream",
  ({ stream }) => {
    it.each([6_000, 12_000, 20_000, 40_000, 60_000])(
      "is told a clause of a document of %i characters",
      async (size) => {
        const { api, client, gateway } = await open(reader);
        const said = await loop(client, { messages: ASKED, stream }, contract(size));
        expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
        expect(faultsOf(api.requests)).toEqual([]);
        expect(gateway.totals().recalls).toBe(size > 16_000 ? 1 : 0);
        expect(JSON.stringify(said)).not.toContain(RECALL);
      },
    );

    it("is told it wherever it stands in a document of 6 to 60 KB", async () => {
      // Where it is easily seen, at either end and in what is not folded, shows least.
      const places = fc.noBias(fc.tuple(fc.integer({ min: 6_000, max: 60_000 }), fc.integer({ min: 0, max: 100 })));
      await fc.assert(
        fc.asyncProperty(places, async ([size, percent]) => {
          const { client } = await open(reader);
          const said = await loop(client, { messages: ASKED, stream }, contract(size, percent / 100));
          expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
        }),
        { numRuns: tries(5, 25) },
      );
    });

    it("gets one continuous answer, with the usage of all requests", async () => {
      const usage = (count: number) => ({
        input_tokens: count,
        cache_creation_input_tokens: 10 * count,
        cache_read_input_tokens: 100 * count,
        output_tokens: 1000 * count,
      });
      const { api, client } = await open((request, index) => ({ ...reader(request, index), usage: usage(index + 1) }));
      const messages = await loadDocument(client, contract(30_000));
      const message = await ask(client, { messages, stream });
      expect(message.content.map(({ type }) => type)).toEqual(["thinking", "text", "thinking", "text"]);
      expect(message).toMatchObject({ id: "msg_main_1", stop_reason: "end_turn", role: "assistant" });
      expect(message.usage).toMatchObject(usage(2 + 3));
      expect(api.requests).toHaveLength(3);
    });

    it("may be told several things in one answer, asked for one after another and together", async () => {
      const { api, client, gateway } = await open((request, index) => {
        const handle = findHandle(request);
        if (index === 0) return reader(request, index);
        if (index === 1)
          return answer(call(RECALL, { handle, lines: [1, 2] }), call(RECALL, { handle, lines: [3, 4] }));
        if (index === 2) return answer(call(RECALL, { handle, pattern: "17\\.4" }));
        return answer(sentText(request).includes(CLAUSE) ? CLAUSE : "nothing");
      });
      const messages = await loadDocument(client, contract(30_000));
      const message = await ask(client, { messages, stream });
      expect(message.content).toEqual([expect.objectContaining({ type: "text", text: CLAUSE })]);
      const next: Messages = [
        ...messages,
        { role: "assistant", content: message.content },
        { role: "user", content: "So?" },
      ];
      await ask(client, { messages: next, stream });
      expect(
        sentText(requireRequest(api.requests, 4)).startsWith(sentText(requireRequest(api.requests, 3)).slice(0, -1)),
      ).toBe(true);
      expect(faultsOf(api.requests)).toEqual([]);
      expect(gateway.totals().recalls).toBe(3);
    });

    it("answers its own calls first where the model asks for both at once, and the rest comes with them", async () => {
      const { api, client } = await open((request, index) => {
        if (index !== 1) return reader(request, index);
        const back = call(RECALL, { handle: findHandle(request), pattern: "17\\.4" });
        return answer(think("Both."), back, "And another.", call("load_document", { name: "addendum" }));
      });
      const messages = await loadDocument(client, contract(30_000));
      const both = await ask(client, { messages, stream });
      expect(both.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
      expect(both.stop_reason).toBe("tool_use");
      const id = both.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))[0] ?? "";
      messages.push({ role: "assistant", content: both.content });
      messages.push({
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content: "No addendum." },
          { type: "text", text: "Go on." },
        ],
      });
      const last = await ask(client, { messages, stream });
      expect(JSON.stringify(last.content)).toContain(CLAUSE);
      const [, , third] = api.requests;
      expect(
        third?.body.messages
          .slice(-2)
          .map(({ content }) => (typeof content === "string" ? content : content.map(({ type }) => type))),
      ).toEqual([
        ["thinking", "tool_use", "text", "tool_use"],
        ["tool_result", "tool_result", "text"],
      ]);
      expect(faultsOf(api.requests)).toEqual([]);
    });

    it("hears of no more than a dozen rounds, and of an answer all the same", async () => {
      const warned: Error[] = [];
      const listen = (warning: Error): void => void warned.push(warning);
      process.on("warning", listen);
      onTestFinished(() => void process.off("warning", listen));
      const { api, client } = await open((request, index) =>
        index === 0
          ? reader(request, index)
          : answer(`Round ${index}.`, call(RECALL, { handle: findHandle(request), page: 1 })),
      );
      const message = await ask(client, { messages: await loadDocument(client, contract(30_000)), stream });
      expect(api.requests).toHaveLength(1 + 13);
      expect(message.stop_reason).toBe("end_turn");
      expect(message.content).toHaveLength(13);
      expect(faultsOf(api.requests)).toEqual([]);
      // None of the requests leaves a listener behind that another adds to.
      expect(warned).toEqual([]);
    });

    it("is told that there is no room where what was fetched does not fit", async () => {
      const { api, client } = await open((request, index) =>
        index === 2 ? overflow(210_000, 200_000) : index === 3 ? answer("Then in parts.") : reader(request, index),
      );
      const message = await ask(client, { messages: await loadDocument(client, contract(30_000)), stream });
      expect(JSON.stringify(message.content)).toContain("Then in parts.");
      expect(sentText(requireRequest(api.requests, 3))).toContain("does not fit into this conversation");
    });

    it("finds the call and its result in every later request, in the same bytes, and after a restart", async () => {
      const later = answer("As I said.");
      const { api, client, connect, gateway } = await open((request, index) =>
        index < 3 ? reader(request, index) : later,
      );
      const said = await loop(client, { messages: ASKED, stream }, contract(30_000));
      said.push({ role: "user", content: "Sure?" });
      await ask(client, { messages: said, stream });
      const bytes = api.requests.map(({ body }) => JSON.stringify(body.messages).slice(0, -1));
      expect(bytes[2]?.startsWith(bytes[1] ?? "-")).toBe(true);
      expect(bytes[3]?.startsWith(bytes[2] ?? "-")).toBe(true);
      expect(bytes[3]).toContain(RECALL);
      const tools = api.requests.map(({ body }) => JSON.stringify(body.tools));
      expect(tools[0]).not.toContain(RECALL);
      expect(new Set(tools.slice(1)).size).toBe(1);
      await gateway.drain(0);
      const again = await openGateway(api.url, { folder: gateway.folder });
      await ask(connect(again.url), { messages: said, stream });
      expect(sentText(requireRequest(api.requests, 4))).toBe(sentText(requireRequest(api.requests, 3)));
      expect(faultsOf(api.requests)).toEqual([]);
    });
  },
);

describe("a follow-up that fails", () => {
  const failing = (request: ApiRequest, index: number): Reply => (index === 2 ? overloaded() : reader(request, index));

  it("is the API's own error in the middle of a stream", async () => {
    const { client } = await open(failing);
    const messages = await loadDocument(client, contract(30_000));
    await expect(ask(client, { messages, stream: true })).rejects.toThrow(/overloaded/i);
  });

  it("is the API's own answer where nothing was said yet", async () => {
    const { client } = await open(failing);
    const messages = await loadDocument(client, contract(30_000));
    await expect(ask(client, { messages, stream: false })).rejects.toMatchObject({ status: 529 });
  });

  it.each(["reset", "half_frame", "error_event"] as const)(
    "reaches the client byte for byte where the stream breaks, by a %s, before anything is asked back",
    async (how) => {
      const read = async (url: string, messages: Messages): Promise<string> => {
        const body = JSON.stringify({
          model: "claude-sonnet-4-6",
          max_tokens: 9,
          stream: true,
          tools: TOOLS,
          messages,
        });
        const response = await fetch(`${url}/v1/messages`, { method: "POST", body });
        let heard = "";
        try {
          for await (const chunk of response.body ?? []) heard += Buffer.from(chunk).toString("latin1");
        } catch {
          return `${heard}, then broken off`;
        }
        return `${heard}, then the end`;
      };
      const broken = breakStream(how, answer(think("Well."), "word ".repeat(60)), 7);
      const { api, client, gateway } = await open((request, index) => (index === 0 ? reader(request, index) : broken));
      const messages = await loadDocument(client, contract(30_000));
      const through = await read(gateway.url, messages);
      expect(api.requests[1]?.body.tools).toHaveLength(2);
      // Direct it is another request, and a heavier one.
      const plain = (text: string): string => text.replaceAll(/main_\d+|"input_tokens":\d+/g, "");
      expect(plain(through)).toBe(plain(await read(api.url, messages)));
      expect(gateway.totals()).toMatchObject({ incidents: 0 });
    },
  );

  it("is not the upstream's where what fails is ours", async () => {
    const planner = createRequestPlanner();
    let isAnswering = false;
    const weigh: typeof planner.weigh = (...given) => {
      if (isAnswering) throw new Error("a fault of ours");
      return planner.weigh(...given);
    };
    const api = await createScriptedApi({
      main(request, index) {
        isAnswering = index > 0;
        return reader(request, index);
      },
    });
    atEnd(() => api.close());
    const gateway = await openGateway(api.url, { planner: { ...planner, weigh } });
    const client = new Anthropic({ apiKey: "made-up", baseURL: gateway.url, maxRetries: 0 });
    await ask(client, { messages: await loadDocument(client, contract(30_000)), stream: true });
    await expect.poll(() => gateway.totals()).toMatchObject({ incidents: 1, failed: 0 });
  });

  it("is cancelled upstream where the client goes away", async () => {
    const { api, client, gateway } = await open((request, index) => (index === 2 ? hang() : reader(request, index)));
    const messages = await loadDocument(client, contract(30_000));
    const stream = client.messages.stream({ model: "claude-sonnet-4-6", max_tokens: 1000, tools: TOOLS, messages });
    const ended = stream.finalMessage().catch(() => "gone");
    await expect.poll(() => api.requests.length).toBe(3);
    stream.abort();
    expect(await ended).toBe("gone");
    await expect
      .poll(async () => (await fetch(`${gateway.url}/metrics`)).text())
      .toContain("plimsoll_gateway_client_aborts_total 1");
    await expect
      .poll(async () => (await fetch(`${gateway.url}/metrics`)).text())
      .toContain("plimsoll_gateway_active_streams 0");
  });
});

it("is answered where it cannot be kept, and the next request goes on without it", async () => {
  const whole = createFileStore({ folder: createFolder() });
  const store: GatewayStore = {
    ...whole,
    appendDecisions: (session, items, known) =>
      items.some(({ kind }) => kind === "recalled")
        ? Promise.reject(new Error("ENOSPC"))
        : whole.appendDecisions(session, items, known),
  };
  const api = await createScriptedApi({
    main: (request, index) => (index < 3 ? reader(request, index) : answer("Aye.")),
  });
  atEnd(() => api.close());
  const gateway = await openGateway(api.url, { store });
  const client = new Anthropic({ apiKey: "made-up", baseURL: gateway.url, maxRetries: 0 });
  const said = await loop(client, { messages: ASKED, stream: true }, contract(30_000));
  expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
  await ask(client, { messages: [...said, { role: "user", content: "Sure?" }], stream: true });
  expect(sentText(requireRequest(api.requests, 3))).not.toContain(RECALL);
  expect(faultsOf(api.requests)).toEqual([]);
  expect(gateway.totals().incidents).toBe(1);
});

it.each([{ input: null }, { input: "plimsoll:000000000000" }, { input: ["plimsoll:000000000000"] }, { input: 7 }])(
  "a call with %j in a whole answer is answered with what a call needs",
  async ({ input }) => {
    const sent = { id: "m", type: "message", role: "assistant", model: "m", usage: {}, stop_sequence: null };
    const asking = { ...sent, stop_reason: "tool_use", content: [{ type: "tool_use", id: "t", name: RECALL, input }] };
    const saying = { ...sent, stop_reason: "end_turn", content: [{ type: "text", text: "Then without." }] };
    const api = await openRawApi(({ body }, response) => {
      const isAsked = body.includes('"tool_use_id":"t"');
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(isAsked ? saying : asking));
    });
    const gateway = await openGateway(api.url);
    const answered = await (await post(gateway.url, renderBody(toolLoop(1, 300)))).json();
    expect(answered).toMatchObject({ content: saying.content, stop_reason: "end_turn" });
    expect(String(api.requests[1]?.body)).toContain("Give a handle");
  },
);

describe("nothing is out of the model's reach", () => {
  const history = async (client: Anthropic) => loop(client, { messages: ASKED, stream: false }, contract(30_000));
  const dull = (request: ApiRequest, index: number): Reply => (index < 3 ? reader(request, index) : answer("Aye."));

  it.each<[string, Partial<Anthropic.MessageCreateParamsNonStreaming>]>([
    ["forbids tools", { tool_choice: { type: "none" } }],
    ["forces one", { tool_choice: { type: "tool", name: "load_document" } }],
    ["offers none", { tools: [] }],
  ])("where a request %s, whatever was folded before", async (_name, more) => {
    const { api, client } = await open(dull);
    const said: Messages = [...(await history(client)), { role: "user", content: "And?" }];
    await ask(client, { messages: said, stream: false, more });
    const { body } = requireRequest(api.requests, 3);
    expect(body.messages).toEqual(said);
    expect(JSON.stringify(body.tools)).not.toContain(RECALL);
    // And behind a handle again where it may be fetched.
    await ask(client, { messages: said, stream: false });
    expect(sentText(requireRequest(api.requests, 4))).toContain("[FOLDED: ");
  });

  it("where the tool would cost a model its thinking", async () => {
    const { api, client } = await open(reader);
    const said = await loop(
      client,
      { messages: ASKED, stream: false, more: { model: "claude-opus-5-5" } },
      contract(30_000),
    );
    expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
    expect(api.requests).toHaveLength(2);
    expect(JSON.stringify(api.requests)).not.toContain("[FOLDED: ");
  });

  it("where the person wants nothing to leave", async () => {
    const api = await createScriptedApi({ main: reader });
    atEnd(() => api.close());
    const gateway = await openGateway(api.url, { planner: createRequestPlanner({ policy: "off" }) });
    const client = new Anthropic({ apiKey: "made-up", baseURL: gateway.url, maxRetries: 0 });
    await history(client);
    expect(gateway.totals()).toMatchObject({ edited: 0, recalls: 0 });
  });
});

describe("the tool", () => {
  it("has a name that no tool of the client has", async () => {
    const taken = [...TOOLS, { name: RECALL, input_schema: { type: "object" as const } }];
    const { api, client } = await open((request, index) =>
      index === 1
        ? answer(call(`${RECALL}_2`, { handle: findHandle(request), pattern: "17\\.4" }))
        : reader(request, index),
    );
    const said = await loop(client, { messages: ASKED, stream: true, more: { tools: taken } }, contract(30_000));
    expect(JSON.stringify(said.at(-1))).toContain(CLAUSE);
    expect(api.requests[1]?.body.tools.map(({ name }) => name)).toEqual(["load_document", RECALL, `${RECALL}_2`]);
  });

  it("gives nothing of another conversation, whoever knows its handle", async () => {
    const first = await open(reader);
    await loop(first.client, { messages: ASKED, stream: false }, contract(30_000));
    const handle = findHandle(requireRequest(first.api.requests, 1));
    const other = await open(
      (request, index) => (index === 1 ? answer(call(RECALL, { handle })) : reader(request, index)),
      first.gateway.folder,
    );
    const messages: Messages = [{ role: "user", content: "Another question." }];
    await loop(other.client, { messages, stream: false }, contract(40_000).replaceAll(CLAUSE, "Clause 18."));
    const said = sentText(requireRequest(other.api.requests, 2));
    expect(said).toContain("Nothing is kept under");
    expect(said).not.toContain(CLAUSE);
  });

  it("is counted with what would be sent", async () => {
    const { api, client } = await open(reader);
    const said = await loop(client, { messages: ASKED, stream: false }, contract(30_000));
    const counted = await client.messages.countTokens({ model: "claude-sonnet-4-6", tools: TOOLS, messages: said });
    expect(counted.input_tokens).toBeLessThan(6_000);
    expect(api.sideRequests).toHaveLength(1);
  });
});
