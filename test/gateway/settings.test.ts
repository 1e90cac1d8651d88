/** If red: the gateway does not fail open, or lets somebody in who may not use it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import zlib from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAccess, parseUsers } from "../../src/entry/gateway/access.ts";
import { startGateway } from "../../src/entry/gateway/gateway.ts";
import { createRequestPlanner } from "../../src/entry/gateway/plan-request.ts";
import { createFileStore } from "../../src/entry/gateway/store/file-store.ts";
import type { GatewayStore, JournalEntry } from "../../src/entry/gateway/store/gateway-store.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { person, post, renderBody, type SentMessage, toolLoop } from "./conversation.ts";
import { createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const FOLDED = /\[FOLDED: /;

describe("failing open", () => {
  const never = <Value>(): Promise<Value> => new Promise(() => undefined);
  const refuse = <Value>(): Promise<Value> => Promise.reject(new Error("ENOSPC"));

  it.each<readonly [string, "away" | "store", Partial<GatewayStore>]>([
    ["cannot be read", "away", { holdLedger: refuse }],
    ["does not answer", "away", { holdLedger: never }],
    ["takes no originals", "store", { keepOriginals: refuse }],
    ["takes no decisions", "store", { appendDecisions: refuse }],
    ["never says that it took a decision", "store", { appendDecisions: never }],
  ])("sends the bytes that came where the store %s", async (_name, cause, fault) => {
    const api = await openRawApi();
    const whole = createFileStore({ folder: createFolder() });
    const gateway = await openGateway(api.url, { store: { ...whole, ...fault } });
    const body = renderBody(toolLoop(2, 300));
    expect((await post(gateway.url, body)).status).toBe(200);
    expect(api.requests[0]?.body.toString()).toBe(body);
    expect(gateway.totals()).toMatchObject({ edits: 0, incidents: 1 });
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain(`incidents_total{cause="${cause}"} 1`);
  });

  it("sends the bytes that came where deciding throws", async () => {
    const api = await openRawApi();
    const planner = {
      ...createRequestPlanner(),
      plan: () => {
        throw new Error("planted");
      },
    };
    const gateway = await openGateway(api.url, { planner });
    const body = renderBody(toolLoop(2, 300));
    expect((await post(gateway.url, body)).status).toBe(200);
    expect(api.requests[0]?.body.toString()).toBe(body);
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain('incidents_total{cause="exception"} 1');
  });

  it("decides nothing where the time for it is spent, and still does what was decided before", async () => {
    const api = await openRawApi();
    const first = await openGateway(api.url);
    const history = toolLoop(4, 300);
    await post(first.url, renderBody(history.slice(0, 5)));
    const second = await openGateway(api.url, { folder: first.folder, budgetMs: 0 });
    await post(second.url, renderBody(history.slice(0, 7)));
    const [before, after] = api.requests.map(({ body }) => JSON.parse(String(body)).messages);
    expect(JSON.stringify(before[4])).toMatch(FOLDED);
    expect(after[4].content[0].content).toBe(before[4].content[0].content);
    expect(JSON.stringify(after[6])).not.toMatch(FOLDED);
    expect(second.totals().incidents).toBe(1);
  });

  it("sends the bytes that came where planning took too long, and rests from it for a while", async () => {
    const api = await openRawApi();
    const whole = createRequestPlanner();
    // A clock that planning moves on: how long anything really takes says nothing here.
    let tookMs = 0;
    const readClock = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => readClock() + tookMs);
    const readProcessor = process.cpuUsage.bind(process);
    vi.spyOn(process, "cpuUsage").mockImplementation((before) => {
      const { user, system } = readProcessor(before);
      return { user: user + tookMs * 1000, system };
    });
    onTestFinished(() => void vi.restoreAllMocks());
    let plans = 0;
    const slow: typeof whole.plan = (situation) => {
      plans++;
      const plan = whole.plan({ ...situation, isTimeSpent: () => false });
      tookMs += 10_000_000;
      return plan;
    };
    let now = 1000;
    const gateway = await openGateway(api.url, { planner: { ...whole, plan: slow }, nowMs: () => now });
    plans = 0;
    const history = toolLoop(3, 300);
    const bodies = [3, 5, 7].map((end) => renderBody(history.slice(0, end)));
    await post(gateway.url, bodies[0] ?? "");
    await post(gateway.url, bodies[1] ?? "");
    expect(plans).toBe(1);
    now += 60_000;
    await post(gateway.url, bodies[2] ?? "");
    expect(plans).toBe(2);
    expect(api.requests.map(({ body }) => body.toString() === bodies.shift())).toEqual([true, true, true]);
    expect(gateway.totals().incidents).toBe(2);
  });

  it("goes on with what it knows where its store does not answer, and sends whole what it does not know", async () => {
    const api = await openRawApi();
    const whole = createFileStore({ folder: createFolder() });
    let isAway = false;
    const holdLedger: typeof whole.holdLedger = (...given) =>
      isAway ? new Promise(() => undefined) : whole.holdLedger(...given);
    const gateway = await openGateway(api.url, { store: { ...whole, holdLedger } });
    const history = toolLoop(6, 100);
    const say = async (rounds: number, name: string): Promise<readonly unknown[]> => {
      const metadata = { user_id: `user_session_${name}` };
      expect((await post(gateway.url, renderBody(history.slice(0, 2 * rounds + 1), { metadata }))).status).toBe(200);
      return JSON.parse(String(api.requests.at(-1)?.body).replaceAll(',"cache_control":{"type":"ephemeral"}', ""))
        .messages;
    };
    const before = await say(2, "known");
    expect(JSON.stringify(before)).toMatch(FOLDED);
    isAway = true;
    // Two rounds further, so that another instance may have decided in between.
    const during = await say(4, "known");
    expect(during).toEqual([...before, ...history.slice(before.length, during.length)]);
    expect(await say(3, "unknown")).toEqual(history.slice(0, 7));
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('incidents_total{cause="away"} 2');
    isAway = false;
    const after = await say(5, "known");
    expect(after.slice(0, during.length)).toEqual(during);
    expect(JSON.stringify(after.at(-1))).toMatch(FOLDED);
  });

  it("goes on without its folder, with what it has decided", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const history = toolLoop(4, 300);
    await post(gateway.url, renderBody(history.slice(0, 5)));
    rmSync(path.join(gateway.folder, "sessions"), { recursive: true });
    writeFileSync(path.join(gateway.folder, "sessions"), "in the way");
    expect((await post(gateway.url, renderBody(history.slice(0, 7)))).status).toBe(200);
    const after = JSON.parse(String(api.requests[1]?.body)).messages;
    expect(JSON.stringify(after[4])).toMatch(FOLDED);
    expect(JSON.stringify(after[6])).not.toMatch(FOLDED);
  });
});

describe("what the client asks for", () => {
  it("is left to the API where it asks it to clear results", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { planner: createRequestPlanner({ lineTokens: 2000 }) });
    const other = await openGateway(api.url, { planner: createRequestPlanner({ lineTokens: 2000 }) });
    const body = (more = {}) => renderBody([...toolLoop(30, 40), person("And now?")], more);
    await post(gateway.url, body());
    const edits = [{ type: "clear_tool_uses_20250919", keep: { type: "tool_uses", value: 3 } }];
    await post(other.url, body({ context_management: { edits } }));
    expect(gateway.totals().edits).toBeGreaterThan(0);
    expect(other.totals().edits).toBe(0);
  });

  it("is never parted: system messages, tool references, server tools, pictures, documents and thinking stay as they came", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { planner: createRequestPlanner({ lineTokens: 2000 }) });
    const odd: readonly SentMessage[] = [
      { role: "system", content: [{ type: "text", text: "mid-conversation" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "c2ln" },
          { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "x" } },
          { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
          { type: "tool_use", id: "toolu_odd", name: "ToolSearch", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_odd",
            content: [{ type: "tool_reference", tool_name: "mcp__a__b" }],
          },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "words" } },
        ],
      },
    ];
    await post(
      gateway.url,
      renderBody([...toolLoop(20, 60), ...odd, ...toolLoop(20, 60).slice(1).map(renameCalls), person("?")]),
    );
    const sent = JSON.parse(String(api.requests[0]?.body));
    expect(gateway.totals().edits).toBeGreaterThan(0);
    for (const message of odd) expect(sent.messages).toContainEqual(message);
    expect(validateMessages(sent)).toEqual([]);
  });

  it("gets a compressed answer as it came, and its usage is read all the same", async () => {
    const packed = zlib.gzipSync(JSON.stringify({ usage: { input_tokens: 77, output_tokens: 5 } }));
    const api = await openRawApi((_, response) =>
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed),
    );
    const gateway = await openGateway(api.url);
    const bytes = await new Promise<Buffer>((resolve) => {
      const asked = http.request(`${gateway.url}/v1/messages`, { method: "POST" }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks)));
      });
      asked.end(renderBody(toolLoop(0, 0)));
    });
    expect(bytes.equals(packed)).toBe(true);
    await expect
      .poll(async () => (await fetch(`${gateway.url}/metrics`)).text())
      .toContain('tokens_total{kind="input"} 77');
  });

  it("passes everything else on byte for byte, with its own query, headers and spelling", async () => {
    const api = await openRawApi((request, response) =>
      response.writeHead(201, { "X-Case": "kept", "set-cookie": ["a=1", "b=2"] }).end(request.body),
    );
    const gateway = await openGateway(api.url);
    const answer = await fetch(`${gateway.url}/v1/files?limit=3&x=%20y`, {
      method: "PUT",
      headers: { "anthropic-beta": "files-api-2025-04-14", "X-Own": "1" },
      body: new Uint8Array([0, 255, 13, 10]),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([0, 255, 13, 10]);
    const [request] = api.requests;
    expect(request).toMatchObject({ method: "PUT", path: "/v1/files?limit=3&x=%20y" });
    expect(request?.headers).toMatchObject({ "anthropic-beta": "files-api-2025-04-14", host: new URL(api.url).host });
  });
});

function renameCalls(message: SentMessage): SentMessage {
  return JSON.parse(JSON.stringify(message).replaceAll("toolu_", "toolu_again_"));
}

describe("the client's own compaction", () => {
  const question = "CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of the conversation.";
  const history = [...toolLoop(10, 100), person(question)];

  it("is passed on with what was decided, and nothing new is decided for it", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const body = renderBody(history);
    await post(gateway.url, body);
    expect(api.requests[0]?.body.toString()).toBe(body);
  });

  it("is made lighter where that is set, for this once", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { compaction: "trim" });
    await post(gateway.url, renderBody(history));
    const sent = JSON.parse(String(api.requests[0]?.body));
    expect(validateMessages(sent)).toEqual([]);
    expect(JSON.stringify(sent.messages).length).toBeLessThan(JSON.stringify(history).length / 3);
    expect(JSON.stringify(sent.messages.at(-1))).toContain(question);
    await post(gateway.url, renderBody(history.slice(0, 9)));
    expect(JSON.parse(String(api.requests[1]?.body)).messages.slice(0, 7)).toEqual(history.slice(0, 7));
  });

  it.each([true, false])("is answered without a model where that is set (streamed: %s)", async (stream) => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { compaction: "answer" });
    const answer = await post(
      gateway.url,
      renderBody([{ role: "user", content: "Never touch the keel." }, ...history], { stream }),
    );
    const text = await answer.text();
    expect(answer.headers.get("content-type")).toContain(stream ? "text/event-stream" : "application/json");
    expect(text).toContain("<summary>");
    expect(text).toContain("Never touch the keel.");
    expect(text).toContain("end_turn");
    expect(api.requests).toHaveLength(0);
  });
});

describe("who may use it", () => {
  const users = `# names\nada ${"a".repeat(16)} 3 2\nbob ${"b".repeat(20)}\n`;

  it("is nobody but this machine unless users have tokens", async () => {
    const store = createFileStore({ folder: createFolder() });
    await expect(startGateway({ upstream: new URL("http://127.0.0.1:9"), store, host: "0.0.0.0" })).rejects.toThrow(
      "--token-file",
    );
  });

  it("is told by a header of its own that never leaves, and held to limits of their own", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { access: createAccess(parseUsers(users), () => 0) });
    const body = renderBody(toolLoop(0, 0));
    const ask = (token: string) => post(gateway.url, body, token === "" ? {} : { "x-plimsoll-token": token });
    expect((await ask("")).status).toBe(401);
    expect((await ask("wrong")).status).toBe(401);
    for (let request = 0; request < 3; request++) expect((await ask(`Bearer ${"a".repeat(16)}`)).status).toBe(200);
    const limited = await ask("a".repeat(16));
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("20");
    expect((await ask("b".repeat(20))).status).toBe(200);
    expect(api.requests).toHaveLength(4);
    expect(JSON.stringify(api.requests.map(({ rawHeaders }) => rawHeaders))).not.toMatch(/plimsoll|aaaa|bbbb/);
  });

  it.each([
    "ada short",
    "ada",
    "a b c",
    `ada ${"a".repeat(16)} x`,
    `ada ${"a".repeat(16)} 0`,
    "",
    "# nobody",
    `${users}ada ${"c".repeat(16)}`,
  ])("is not read out of %j, and the sentence tells no token", (text) => {
    const read = () => parseUsers(text);
    expect(read).toThrow(TypeError);
    expect(read).not.toThrow(/aaaa|cccc/);
  });
});

describe("what nobody may do to it", () => {
  it("is to send more than it takes", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { maxBodyBytes: 1000 });
    const answer = await post(gateway.url, renderBody(toolLoop(2, 100)));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: { type: "request_too_large" } });
    expect(api.requests).toHaveLength(0);
    expect((await post(gateway.url, renderBody(toolLoop(0, 0)))).status).toBe(200);
  });

  const talk = (url: string, words: string, dripMs = 0): Promise<string> =>
    new Promise((resolve) => {
      const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
      let heard = "";
      const drip = dripMs > 0 ? setInterval(() => socket.write("x"), dripMs) : undefined;
      socket.on("data", (bytes) => {
        heard += bytes;
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(drip);
        resolve(heard);
      });
      socket.write(words);
    });

  it("is to flood it with headers", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    expect(await talk(gateway.url, `GET / HTTP/1.1\r\nHost: x\r\n${"X-Flood: y\r\n".repeat(5000)}\r\n`)).toContain(
      "431",
    );
    expect(api.requests).toHaveLength(0);
  });

  it("is to hold it up with headers that never end", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url, { headersTimeoutMs: 500 });
    expect(await talk(gateway.url, "POST /v1/messages HTTP/1.1\r\nX-Slow: ", 100)).toContain("408");
  });
});

describe("what it keeps", () => {
  it("holds no key and no header, in files that only their owner reads", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    await post(gateway.url, renderBody([...toolLoop(3, 300)]), { authorization: "Bearer oauth-made-up" });
    await gateway.drain();
    const files = readdirSync(gateway.folder, { recursive: true, encoding: "utf8" }).map((name) =>
      path.join(gateway.folder, name),
    );
    const kept = files.filter((file) => statSync(file).isFile());
    expect(kept.length).toBeGreaterThan(3);
    for (const file of kept) {
      expect(readFileSync(file, "utf8"), file).not.toMatch(/sk-ant|oauth-made-up|x-api-key/);
      expect(statSync(file).mode & 0o077, file).toBe(0);
    }
    for (const folder of files.filter((file) => statSync(file).isDirectory()))
      expect(statSync(folder).mode & 0o077, folder).toBe(0);
    const [day = ""] = readdirSync(path.join(gateway.folder, "journal"));
    expect(JSON.parse(readFileSync(path.join(gateway.folder, "journal", day), "utf8"))).toMatchObject({
      route: "messages",
      status: 200,
      edits: 1,
    });
  });

  it("is told to a balancer: alive, ready, and not ready without a place to write", async () => {
    const api = await openRawApi();
    const gateway = await openGateway(api.url);
    const ask = async (at: string) => (await fetch(`${gateway.url}${at}`)).status;
    expect([await ask("/healthz"), await ask("/readyz"), await ask("/metrics")]).toEqual([200, 200, 200]);
    rmSync(gateway.folder, { recursive: true });
    expect([await ask("/healthz"), await ask("/readyz")]).toEqual([200, 503]);
    mkdirSync(gateway.folder);
    expect(api.requests).toHaveLength(0);
  });
});

describe("draining", () => {
  it("writes down what it cut off in the end", async () => {
    const api = await openRawApi((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: ping\ndata: {}\n\n");
    });
    const whole = createFileStore({ folder: createFolder() });
    const noted: JournalEntry[] = [];
    let isClosed = false;
    const store: GatewayStore = {
      ...whole,
      note: (entry) => void (isClosed || noted.push(entry)),
      close: async () => {
        isClosed = true;
      },
    };
    const gateway = await openGateway(api.url, { store });
    const answer = await post(gateway.url, renderBody(toolLoop(0, 0), { stream: true }));
    await gateway.drain(50);
    expect(noted).toMatchObject([{ status: 200, route: "messages" }]);
    await answer.text().catch(() => undefined);
  });

  it("lets what is under way come to its end and takes nothing new", async () => {
    const held: http.ServerResponse[] = [];
    const api = await openRawApi((_, response) => void held.push(response));
    const gateway = await openGateway(api.url);
    const asked = post(gateway.url, renderBody(toolLoop(0, 0)));
    await expect.poll(() => held.length).toBe(1);
    const drained = gateway.drain();
    await expect(post(gateway.url, renderBody(toolLoop(0, 0)))).rejects.toThrow();
    held[0]?.end('{"late":true}');
    expect(await (await asked).json()).toEqual({ late: true });
    await drained;
  });
});
