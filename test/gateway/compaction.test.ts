/** If red: a compaction answered by the gateway loses something or shows it to somebody else. */
import { describe, expect, it } from "vitest";
import { createAccess, parseUsers } from "../../src/entry/gateway/access.ts";
import { findHandles } from "../../src/fold/marker.ts";
import { createSseParser } from "../../src/library/stream/sse-frames.ts";
import { person, renderBody, type SentMessage, toolLoop, type WireBlock } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi, type RawRequest, sendOk } from "./raw-api.ts";

const QUESTION = "CRITICAL: Respond with TEXT ONLY. Your task is to create a detailed summary of the conversation.";
const HISTORY: readonly SentMessage[] = [person("Never touch the keel."), ...toolLoop(10, 100)];
const TOOLS = { tools: [{ name: "Bash", input_schema: { type: "object" } }] };

const post = (url: string, body: string, token = ""): Promise<Response> =>
  fetch(`${url}/v1/messages`, { method: "POST", body, headers: token === "" ? {} : { "x-plimsoll-token": token } });

async function compact(url: string, history: readonly SentMessage[], token = ""): Promise<string> {
  const answer = await post(url, renderBody([...history, person(QUESTION)], TOOLS), token);
  return JSON.parse(await answer.text()).content[0].text;
}

/** The next window, as the client begins it. */
function goOn(summary: string): readonly SentMessage[] {
  return [person(`This session is being continued from a previous conversation.\n${summary}`)];
}

function hasTool({ body }: RawRequest): boolean {
  return body.includes('"name":"plimsoll_recall"');
}

/** An upstream whose model asks for these handles, one after another, and keeps what it is given. */
async function openReader(handles: readonly string[]) {
  const given: string[] = [];
  const api = await openRawApi((request, response, index) => {
    const { messages } = JSON.parse(String(request.body));
    const blocks: readonly WireBlock[] = messages.flatMap(({ content }: SentMessage) => content);
    const results = blocks.filter(({ tool_use_id: id }) => String(id).startsWith("back_"));
    given.splice(0, given.length, ...results.map((result) => JSON.stringify(result)));
    const handle = handles[index];
    if (handle === undefined || !hasTool(request)) return sendOk(request, response);
    const call = { type: "tool_use", id: `back_${index}`, name: "plimsoll_recall", input: { handle } };
    const message = {
      id: "m",
      type: "message",
      role: "assistant",
      content: [call],
      stop_reason: "tool_use",
      usage: {},
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
  });
  return { api, given };
}

/** Each result holds the output of a command: whatever sentence is given in its place, in whatever words, does not. */
function expectOriginals(given: readonly string[]): void {
  expect(given.filter((text) => !text.includes("40: compute the draught of the hull"))).toEqual([]);
}

describe("a compaction that is answered here", () => {
  it("is the policy's record and ledger, every handle of which can be fetched in the next window", async () => {
    const quiet = await openRawApi();
    const first = await openGateway(quiet.url, { compaction: "answer" });
    const summary = await compact(first.url, HISTORY);
    expect(quiet.requests).toHaveLength(0);
    const metrics = await (await fetch(`${first.url}/metrics`)).text();
    expect(metrics).toContain("plimsoll_gateway_compactions_answered_total 1");
    expect(summary).toContain('asked last: "Survey the hull."');
    expect(summary).toContain('standing rules, newest first:\n- "Never touch the keel."');
    expect(summary).not.toMatch(/\bcall:/);
    // Every exchange, the last one included.
    expect(summary).toContain("10 Bash survey --deck 9");
    const handles = findHandles(summary);
    expect(handles.length).toBeGreaterThan(1);
    // The last one is the whole history; the others are segments, which give one exchange at a time.
    const { api, given } = await openReader(
      handles.map((handle, at) => (at < handles.length - 1 ? `${handle}#1` : handle)),
    );
    const second = await openGateway(api.url, { folder: first.folder, compaction: "answer" });
    await (await post(second.url, renderBody(goOn(summary), TOOLS))).text();
    expect(given).toHaveLength(handles.length);
    expectOriginals(given);
  });

  it("is streamed to a client that asks for a stream, with the same words", async () => {
    const quiet = await openRawApi();
    const gateway = await openGateway(quiet.url, { compaction: "answer" });
    const whole = await compact(gateway.url, HISTORY);
    const answer = await post(
      gateway.url,
      renderBody([...HISTORY, person(QUESTION)], {
        ...TOOLS,
        stream: true,
        metadata: { user_id: "user_x_account__session_b" },
      }),
    );
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const frames = createSseParser().feed(new Uint8Array(await answer.arrayBuffer()));
    const events = frames.map(({ event, data = "" }) => ({ event, ...JSON.parse(data) }));
    expect(events.map(({ event, type }) => [event, type])).toEqual(
      [
        ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
        ...["message_delta", "message_stop"],
      ].map((type) => [type, type]),
    );
    expect(events[0].message).toMatchObject({ role: "assistant", model: "claude-sonnet-4-6", content: [] });
    expect(events[1]).toMatchObject({ index: 0, content_block: { type: "text", text: "" } });
    // Each conversation has handles of its own for the same words.
    const unnamed = (text: string): string => text.replace(/plimsoll:[0-9a-f]{12}/g, "");
    expect(unnamed(events[2].delta.text)).toBe(unnamed(whole));
    expect(events[4].delta.stop_reason).toBe("end_turn");
  });

  it("takes the ledger of the one before it over, and what that one had put away", async () => {
    const quiet = await openRawApi();
    const gateway = await openGateway(quiet.url, { compaction: "answer" });
    const before = await compact(gateway.url, HISTORY);
    // Clients put what the person says next to the record into one message.
    const [stand] = goOn(before);
    const spoken = [stand, person("Look at the rudder."), person("Then go on.")].map((each) => each?.content ?? []);
    const opening = { role: "user", content: spoken.flat() as readonly WireBlock[] };
    const window = [opening, ...toolLoop(6, 80).slice(1)];
    const after = await compact(gateway.url, window);
    for (const words of ["Look at the rudder.", "Then go on."]) expect(after).toContain(`person: ${words}`);
    // What the record quotes is not said again by the person.
    expect(after.match(/^- .*keel.*$/gm)).toEqual(['- "Never touch the keel."']);
    const ledger = findHandles(before).slice(0, -1);
    expect(findHandles(after)).toEqual(expect.arrayContaining([...ledger]));
    const { api, given } = await openReader(ledger.map((handle) => `${handle}#1`));
    const next = await openGateway(api.url, { folder: gateway.folder });
    await (await post(next.url, renderBody(goOn(after), TOOLS))).text();
    expect(given).toHaveLength(ledger.length);
    expectOriginals(given);
  });

  it("gives nothing of it to somebody else who quotes it", async () => {
    const users = parseUsers(`ada ${"a".repeat(20)}\nbob ${"b".repeat(20)}\n`);
    const quiet = await openRawApi();
    const access = () => createAccess(users, () => 0);
    const first = await openGateway(quiet.url, { compaction: "answer", access: access() });
    const summary = await compact(first.url, HISTORY, "a".repeat(20));
    const { api } = await openReader(findHandles(summary));
    const second = await openGateway(api.url, { folder: first.folder, access: access() });
    await (await post(second.url, renderBody(goOn(summary), TOOLS), "b".repeat(20))).text();
    expect(api.requests.map(hasTool)).toEqual([false]);
  });
});
