/** If red: a request waits to be read although nothing could be taken from it. */
import { readdirSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { messagesWire } from "../../src/entry/gateway/messages-wire.ts";
import { parseRequest } from "../../src/entry/gateway/request/parse-request.ts";
import { tries } from "../support/depth.ts";
import { calls, lines, person, post, renderBody, results, type SentMessage, toolLoop } from "./conversation.ts";
import { openGateway } from "./open-gateway.ts";
import { openRawApi, type RawRequest, sendOk } from "./raw-api.ts";

/** An upstream that answers when it is told to. */
async function openHeld() {
  const held: (() => void)[] = [];
  const api = await openRawApi((request: RawRequest, response: ServerResponse) => {
    held.push(() => sendOk(request, response));
  });
  return { api, held };
}

async function countSessions(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^plimsoll_gateway_sessions (\d+)$/m.exec(text)?.[1]);
}

function readStored(folder: string, ending: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(path.join(folder, name), "utf8"));
}

it("what nothing can be taken from is under way before it is read, and read behind its answer", async () => {
  const { api, held } = await openHeld();
  const { url, folder } = await openGateway(api.url);
  const body = renderBody([person("Survey the hull.")]);
  const answered = post(url, body);
  await expect.poll(() => held.length).toBe(1);
  expect(String(api.requests[0]?.body)).toBe(body);
  expect(await countSessions(url)).toBe(0);
  held[0]?.();
  expect((await answered).status).toBe(200);
  await expect.poll(() => countSessions(url)).toBe(1);
  const [journal = ""] = await expect
    .poll(() => readStored(path.join(folder, "journal"), ".jsonl"))
    .toHaveLength(1)
    .then(() => readStored(path.join(folder, "journal"), ".jsonl"));
  expect(JSON.parse(journal)).toMatchObject({
    session: expect.stringMatching(/^[0-9a-f]{32}$/),
    model: "claude-sonnet-4-6",
    status: 200,
  });
});

it.each([
  ["said", '"role":"assistant"'],
  ["is said in escapes to have said", '"role":"\\u0061ssist\\u0061nt"'],
])("what the model has %s something in is read before it leaves", async (_name, role) => {
  const { api, held } = await openHeld();
  const { url } = await openGateway(api.url);
  const body = renderBody(toolLoop(1, 5)).replace('"role":"assistant"', role);
  const answered = post(url, body);
  await expect.poll(() => held.length).toBe(1);
  expect(await countSessions(url)).toBe(1);
  held[0]?.();
  expect((await answered).status).toBe(200);
});

it("is never told of a conversation that the model has spoken in, however that is written", () => {
  const letter = (text: string): fc.Arbitrary<string> =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((flags) =>
        [...text].map((char, index) => (flags[index] ? `\\u00${char.charCodeAt(0).toString(16)}` : char)).join(""),
      );
  const blank = fc.constantFrom("", " ", "\n\t");
  const role = fc.oneof(fc.constant("user"), fc.constant("assistant"), letter("assistant"), letter("user"));
  const text = fc.oneof(fc.string(), fc.constantFrom("assistant", '"assistant"', '"role":"assistant"', "\\u0061"));
  const message = fc
    .tuple(role, text, blank)
    .map(([who, said, gap]) => `{${gap}"role"${gap}:${gap}"${who}",${gap}"content":${JSON.stringify(said)}}`);
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), (messages) => {
      const bytes = Buffer.from(`{"model":"m","messages":[${messages.join(",")}]}`);
      const hasSpoken = parseRequest(bytes)?.conversation.messages.some((one) => one.role === "assistant") ?? false;
      if (hasSpoken) expect(messagesWire.isBeginning(bytes)).toBe(false);
    }),
    { numRuns: tries(300, 20_000) },
  );
  expect(messagesWire.isBeginning(Buffer.from(renderBody([person('Says "role":"assistant" and \u0061.')])))).toBe(true);
});

const CROWD = 40;

it("every conversation of a crowd goes on with what its first answer told, however soon its next request comes", async () => {
  const api = await openRawApi();
  const { url, folder } = await openGateway(api.url);
  const converse = async (name: number): Promise<void> => {
    const history: SentMessage[] = [person(`Survey deck ${name}.\n${lines(300)}`)];
    const metadata = { user_id: `user_x_account__session_${name}` };
    for (let round = 0; round < 3; round++) {
      await (await post(url, renderBody(history, { metadata }))).arrayBuffer();
      history.push(calls([`toolu_${name}_${round}`, "Bash", {}]), results([`toolu_${name}_${round}`, "done"]));
    }
  };
  await Promise.all(Array.from({ length: CROWD }, (_, name) => converse(name)));
  const count = (): readonly number[] => readStored(folder, ".facts.json").map((text) => JSON.parse(text).requests);
  await expect.poll(count).toEqual(Array.from({ length: CROWD }, () => 3));
});

it("a client that goes away is written down, and an overflow of nothing but words is told as it came", async () => {
  const { api, held } = await openHeld();
  const { url, folder } = await openGateway(api.url);
  const leaving = new AbortController();
  const gone = fetch(`${url}/v1/messages`, {
    method: "POST",
    body: renderBody([person("Survey.")]),
    signal: leaving.signal,
  });
  await expect.poll(() => held.length).toBe(1);
  leaving.abort();
  await expect(gone).rejects.toThrow();
  await expect.poll(() => readStored(path.join(folder, "journal"), ".jsonl").join("")).toMatch(/"status":0/);
  const reported =
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 300000 tokens > 200000 maximum"}}';
  const full = await openRawApi((_request, response) => response.writeHead(400).end(reported));
  const second = await openGateway(full.url);
  const refused = await post(second.url, renderBody([person("Survey.")]));
  expect([refused.status, await refused.text(), full.requests.length]).toEqual([400, reported, 1]);
});
