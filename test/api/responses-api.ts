import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Item, parseResponsesBody, type ResponsesRequest, validateInput } from "./responses-body.ts";

/** Items of an answer, or a status that is told instead of one. */
export type ResponsesReply = readonly Item[] | number;

export interface ResponsesApi {
  readonly url: string;
  readonly requests: readonly ResponsesRequest[];
  /** Requests for a WebSocket: none may come this far. */
  upgrades(): number;
  close(): Promise<void>;
}

/** Bytes of JSON and prose together. */
const BYTES_PER_TOKEN = 4;

/**
 * A scripted Responses API on loopback. It refuses what the real one refuses, knows what it encrypted itself, and counts what a
 * request has in common with the last one of its session as cached.
 */
export async function createResponsesApi(
  reply: (request: ResponsesRequest, index: number) => ResponsesReply,
): Promise<ResponsesApi> {
  const requests: ResponsesRequest[] = [];
  const encrypted = new Set<string>();
  const sent = new Map<string, string>();
  let upgrades = 0;

  const answer = (incoming: IncomingMessage, text: string, response: ServerResponse): void => {
    if (incoming.headers.upgrade !== undefined) upgrades++;
    const body = incoming.method === "POST" ? parseResponsesBody(parse(text)) : "Not found";
    if (typeof body === "string") {
      refuse(response, incoming.method === "POST" ? 400 : 404, body);
      return;
    }
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const violations = validateInput(body.input, (content) => encrypted.has(content));
    const request = { headers, body, violations };
    requests.push(request);
    const [violation] = violations;
    if (violation !== undefined) {
      refuse(response, 400, violation);
      return;
    }
    const given = reply(request, requests.length - 1);
    if (typeof given === "number") {
      refuse(response, given, "as scripted");
      return;
    }
    const items = given.map((item, index) => complete(item, `${requests.length}_${index}`));
    for (const { encrypted_content: own } of items) if (typeof own === "string") encrypted.add(own);
    const session = headers["session-id"] ?? "";
    const usage = count(text, sent.get(session) ?? "", JSON.stringify(items));
    sent.set(session, text);
    send(response, { id: `resp_${requests.length}`, model: body.model, items, usage, isStream: body.stream });
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => answer(incoming, Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    upgrades: () => upgrades,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Short spellings, so that a script reads like the conversation. */
export function words(text: string): Item {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

export function thought(name: string): Item {
  return { type: "reasoning", summary: [], encrypted_content: `encrypted:${name}` };
}

export function functionCall(name: string, input: object, callId?: string): Item {
  return {
    type: "function_call",
    name,
    arguments: JSON.stringify(input),
    ...(callId === undefined ? {} : { call_id: callId }),
  };
}

function complete(item: Item, name: string): Item {
  const isCall = item.type === "function_call" || item.type === "custom_tool_call";
  return { id: `${String(item.type)}_${name}`, ...(isCall ? { call_id: `call_${name}` } : {}), ...item };
}

interface Sent {
  readonly id: string;
  readonly model: string;
  readonly items: readonly Item[];
  readonly usage: object;
  readonly isStream: boolean;
}

function send(response: ServerResponse, { id, model, items, usage, isStream }: Sent): void {
  const whole = { id, object: "response", status: "completed", model, output: items, usage };
  if (!isStream) return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(whole));
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events: Readonly<Record<string, unknown>>[] = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
    ...items.flatMap((item, output_index) => [
      { type: "response.output_item.added", output_index, item },
      ...renderText(item, output_index),
      { type: "response.output_item.done", output_index, item },
    ]),
    { type: "response.completed", response: whole },
  ];
  for (const [sequence_number, event] of events.entries())
    response.write(`event: ${String(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
  response.end();
}

function renderText(item: Item, output_index: number): readonly Readonly<Record<string, unknown>>[] {
  if (item.type === "function_call")
    return [
      { type: "response.function_call_arguments.delta", output_index, item_id: item.id, delta: item.arguments },
      { type: "response.function_call_arguments.done", output_index, item_id: item.id, arguments: item.arguments },
    ];
  return [];
}

function count(body: string, before: string, output: string): object {
  let common = 0;
  while (common < before.length && before[common] === body[common]) common++;
  const input_tokens = Math.ceil(body.length / BYTES_PER_TOKEN);
  const output_tokens = Math.ceil(output.length / BYTES_PER_TOKEN);
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: Math.floor(common / BYTES_PER_TOKEN) },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
