import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiRequest, SideRequest } from "./api-request.ts";
import { chooseLane } from "./choose-lane.ts";
import { parseMessagesBody } from "./messages-body.ts";
import { createPromptCache } from "./prompt-cache.ts";
import { renderAnswer } from "./render-answer.ts";
import { refuse } from "./replies.ts";
import type { Scenario } from "./scenario.ts";
import { sendError, sendJson, sendReply } from "./send-reply.ts";
import { UNPACED } from "./stream-events.ts";
import { createReplyTaker } from "./take-reply.ts";

export interface ScriptedApi {
  /** Base URL for `ANTHROPIC_BASE_URL`, on loopback with a port of its own. */
  readonly url: string;
  /** Message requests in order of arrival; grows while the API runs. */
  readonly requests: readonly ApiRequest[];
  readonly sideRequests: readonly SideRequest[];
  /** Ends every connection, hanging ones included. */
  close(): Promise<void>;
}

/** Starts an API that answers by script. A request beyond the end of its script gets a 400 that says so. */
export async function createScriptedApi(scenario: Scenario): Promise<ScriptedApi> {
  const requests: ApiRequest[] = [];
  const sideRequests: SideRequest[] = [];
  const { scale = 1, nowMs = () => 0 } = scenario;
  const cache = scenario.cache ?? createPromptCache({ scale, nowMs });
  const takeReply = createReplyTaker(scenario);

  function answerMessages(request: ApiRequest, response: ServerResponse): Promise<void> {
    const { reply, label } = takeReply(request);
    requests.push(request);
    return sendReply(response, reply, {
      requestId: `req_${label}`,
      isStream: request.body.stream,
      pace: scenario.pace ?? UNPACED,
      // Counted here and not before: a refused request never reaches the cache, so it must not warm it.
      render: (answer) =>
        renderAnswer(answer, { model: request.body.model, label, scale, usage: cache.count(request.body) }),
    });
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    const route = `${incoming.method} ${path.split("?")[0]}`;
    if (route !== "POST /v1/messages") {
      sideRequests.push({ method: incoming.method ?? "", path, atMs: Date.now() });
    }
    const raw = await readBody(incoming);
    if (route === "HEAD /" || route === "HEAD /api/hello") return sendJson(response, 200, {});
    if (route === "GET /api/hello") return sendJson(response, 200, { message: "hello" });
    if (route !== "POST /v1/messages" && route !== "POST /v1/messages/count_tokens") {
      return sendError(response, refuse(404, "not_found_error", `Not found: ${path}`));
    }
    const body = parseMessagesBody(parseJson(raw));
    if (typeof body === "string") return sendError(response, refuse(400, "invalid_request_error", body));
    if (route === "POST /v1/messages/count_tokens") {
      // A cache of its own: counting must not warm the one that answers.
      const usage = createPromptCache({ scale }).count(body);
      return sendJson(response, 200, { input_tokens: usage.input_tokens + usage.cache_creation_input_tokens });
    }
    const headers = headersOf(incoming);
    const lane = chooseLane(body, headers);
    await answerMessages({ lane: lane.name, agentId: lane.agentId, path, headers, body, atMs: Date.now() }, response);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendError(response, refuse(400, "invalid_request_error", `the scripted API failed: ${String(error)}`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sideRequests,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function headersOf(incoming: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(", ")] as const);
  return Object.fromEntries(entries);
}
