/** If red: a long real conversation behind the gateway loses something. */
import path from "node:path";
import { expect } from "vitest";
import { readCorpus } from "../../lab/bench/corpus.ts";
import { messagesWire } from "../../src/entry/gateway/messages-wire.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { type ContentBlock, type Message, parseMessagesBody } from "../api/messages-body.ts";
import { validateRequest } from "../api/validate-request.ts";
import { auditRun } from "../laws/audit-run.ts";
import { createStoreRecall } from "../laws/store-recall.ts";
import { renderVerdict } from "../laws/verdict.ts";
import { createRecordedHistory } from "../layers/recorded-history.ts";
import { withCorpus } from "../support/needs.ts";
import { post } from "./conversation.ts";
import { createFolder, openGateway } from "./open-gateway.ts";
import { openRawApi } from "./raw-api.ts";

const MESSAGES = 300;
/** The model fetches something back so often, where there is something. */
const RECALL_EVERY = 12;
const SESSIONS = 3;

interface Recorded {
  readonly history: readonly Message[];
  readonly ends: readonly number[];
}

/** Sessions of at least so many messages, as a client sends them; only those of which the API would take every request. */
async function* readLong(): AsyncIterable<Recorded> {
  for await (const { recording } of readCorpus()) {
    const { messages, requests } = createRecordedHistory(recording, "start");
    if (messages.length < MESSAGES) continue;
    const history = messages.slice(0, MESSAGES).map(({ role, blocks }): Message => {
      const content = blocks.map((block) => messagesWire.format.renderBlock(block, undefined));
      return { role, content: content.filter(isBlock) };
    });
    const ends = requests.filter((end) => end < MESSAGES && history[end]?.role === "assistant");
    // What a ledger's line says of a loaded tool is no text of the result, so that the auditor cannot compare them.
    if (JSON.stringify(history).includes('"tool_reference"')) continue;
    const body = (end: number) => ({ messages: history.slice(0, end), system: [], tools: [] });
    if (ends.every((end) => validateRequest(body(end)).length === 0)) yield { history, ends };
  }
}

function isBlock(block: object): block is ContentBlock {
  return "type" in block && typeof block.type === "string";
}

const render = (messages: readonly Message[]): string =>
  JSON.stringify({
    model: "claude-sonnet-4-6",
    max_tokens: 1000,
    tools: [{ name: "Bash", input_schema: { type: "object" } }],
    metadata: { user_id: JSON.stringify({ session_id: "5e5510a0-0000-4000-8000-000000000300" }) },
    messages,
  });

async function play({ history, ends }: Recorded) {
  let step = 0;
  let asked = 0;
  const requests: ApiRequest[] = [];
  const sent: Buffer[] = [];
  const api = await openRawApi(({ body, headers }, response) => {
    sent.push(body);
    const parsed = parseMessagesBody(JSON.parse(String(body)));
    if (typeof parsed === "string") throw new Error(parsed);
    requests.push({
      lane: "main",
      agentId: "",
      path: "",
      headers: { host: headers.host ?? "" },
      body: parsed,
      atMs: 0,
    });
    const handle = (String(body).match(/plimsoll:[0-9a-f]{12}/g) ?? []).at(-1);
    const mayAsk =
      parsed.tools.some(({ name }) => name === "plimsoll_recall") && step % RECALL_EVERY === 0 && asked < step;
    const own = history[ends[step] ?? 0]?.content;
    const back = {
      type: "tool_use",
      id: `toolu_recall_${step}`,
      name: "plimsoll_recall",
      input: { handle, lines: [1, 5] },
    };
    const isAsking = mayAsk && handle !== undefined;
    if (isAsking) asked = step;
    const content = isAsking ? [back] : own;
    const stop = isAsking || JSON.stringify(own).includes('"tool_use"') ? "tool_use" : "end_turn";
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 20_000,
      output_tokens: 9,
    };
    const message = {
      id: `msg_${step}`,
      type: "message",
      role: "assistant",
      model: "m",
      content,
      stop_reason: stop,
      usage,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
  });
  const folder = createFolder();
  const gateway = await openGateway(api.url, { folder });
  let came = 0;
  let faithful = 0;
  for (const [index, end] of ends.entries()) {
    step = index;
    const body = render(history.slice(0, end));
    came += Buffer.byteLength(body);
    const answer = await (await post(gateway.url, body)).json();
    if (JSON.stringify(answer.content) === JSON.stringify(history[end]?.content)) faithful++;
  }
  const recall = createStoreRecall({ folders: [path.join(folder, ".plimsoll/artifacts")] });
  const verdict = await auditRun({ requests, recall, options: { mayRewind: false } });
  const bytes = sent.reduce((sum, body) => sum + body.length, 0);
  return { verdict, bytes, came, faithful, requests: ends.length, totals: gateway.totals() };
}

withCorpus.it(
  "a recorded conversation of 300 messages, from a client without recall, is lighter and whole",
  async () => {
    let played = 0;
    for await (const recorded of readLong()) {
      const { verdict, bytes, came, faithful, requests, totals } = await play(recorded);
      const { missing, untrue, invalid, prefixBreaks } = verdict;
      const broken = { missing: missing.length, untrue: untrue.length, invalid: invalid.length };
      process.stdout.write(
        `${requests} requests, ${totals.recalls} recalls answered: ${(bytes / 1e6).toFixed(1)} of ${(came / 1e6).toFixed(1)} MB sent, ${prefixBreaks.length} prefixes changed, ${JSON.stringify(broken)}\n`,
      );
      expect(broken, renderVerdict(verdict)).toEqual({ missing: 0, untrue: 0, invalid: 0 });
      expect(faithful).toBe(requests);
      expect(bytes).toBeLessThan(came);
      expect(totals).toMatchObject({ incidents: 0 });
      if (++played === SESSIONS) break;
    }
    expect(played).toBe(SESSIONS);
  },
);
