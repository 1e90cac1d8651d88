import { parseJson } from "../../core/json.ts";
import type { HashedOriginals } from "../../survive/recall/recall.ts";
import { type Adapter, type AdapterSource, createAdapters } from "../adapter.ts";
import type { SummaryQuestion } from "../compaction-options.ts";
import { isRecord } from "../conversation.ts";
import { createRecallTool, type RecallInput, type RecallTool } from "../recall-tool.ts";

/**
 * The same client for one conversation, kept below its line: `messages.create`, `messages.stream` and all that is built on
 * them. If the API says that a request does not fit, it is compacted harder and sent once more. Make one per conversation.
 */
export function withPlimsoll<Client extends SdkClient>(client: Client, options: AdapterSource): Client {
  if (typeof client?.withOptions !== "function" || !Array.isArray(client.middleware))
    throw new TypeError("client must be a client of @anthropic-ai/sdk 0.102 or later: older versions lack middleware");
  const adapter = createAdapters("anthropic", options)();
  // Last, so that the client's other middleware sees the original request.
  return client.withOptions({ middleware: [...client.middleware, createMiddleware(adapter)] });
}

function createMiddleware(adapter: Adapter): SdkMiddleware {
  return async (request, next) => {
    const counted = parseBody(request, /\/v1\/messages\/count_tokens(?:\?|$)/);
    if (counted) return next(withMessages(request, counted, await adapter.preview(counted.messages)));
    const body = parseBody(request, /\/v1\/messages(?:\?|$)/);
    const prepared = body && (await adapter.prepare(body.messages));
    if (!prepared) return next(request);
    const response = await next(withMessages(request, body, prepared.messages));
    if (response.ok) return response;
    const harder = await adapter.react(prepared, response.status, await readBody(response));
    return harder ? next(withMessages(request, body, harder.messages)) : response;
  };
}

/** Reads a copy, so that the caller can read it as well. An unreadable body counts as no overflow. */
async function readBody(response: Response): Promise<string> {
  try {
    return await response.clone().text();
  } catch {
    return "";
  }
}

type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly object[] };

/** Requests for an answer, and for the tokens of one: batches have other bodies. */
function parseBody({ url, body }: SdkRequest, wanted: RegExp): Body | undefined {
  if (!wanted.test(url) || typeof body !== "string") return undefined;
  const parsed = parseJson(body);
  return isRecord(parsed) && Array.isArray(parsed.messages) ? { ...parsed, messages: parsed.messages } : undefined;
}

/** Returns the identical request if nothing changed: the same bytes. */
function withMessages(request: SdkRequest, body: Body, messages: readonly object[]): SdkRequest {
  return messages === body.messages ? request : { ...request, body: JSON.stringify({ ...body, messages }) };
}

/**
 * The part of the official SDK (`@anthropic-ai/sdk`, 0.102 or later) that is used here, by its shape:
 * nothing is imported from it, so people who do without it need not install it. The SDK's own client fits.
 */
interface SdkClient {
  readonly middleware: readonly SdkMiddleware[];
  withOptions(options: { middleware: SdkMiddleware[] }): this;
}

/** Sees every request of a client in the Messages API's own form, on Bedrock and Vertex too. May send it more than once. */
interface Middleware {
  // A method, so that the SDK's own middleware, whose context has another type, is assignable.
  handle(request: SdkRequest, next: (request: SdkRequest) => Promise<Response>, context: unknown): Promise<Response>;
}

type SdkMiddleware = Middleware["handle"];

type SdkRequest = RequestInit & { headers: Headers; url: string };

interface SdkAsker {
  readonly messages: {
    stream(
      body: { model: string; max_tokens: number; messages: { role: "user"; content: string }[] },
      options: { signal: AbortSignal; maxRetries: number },
    ): { finalMessage(): Promise<{ readonly content: readonly object[] }> };
  };
}

interface SummariserOptions {
  readonly model: string;
  /** A summary that takes longer is given up. Five minutes by default: 20,000 tokens take most of that. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5 * 60_000;

/** Asks a model through the SDK: one request, no retries, summary and memories in the same answer. Pass the plain client, not the one from `withPlimsoll`. */
export function createSummariser(
  client: SdkAsker,
  options: SummariserOptions,
): (question: Pick<SummaryQuestion, "text" | "instructions" | "maxOutputTokens">) => Promise<string> {
  const { model, timeoutMs = TIMEOUT_MS } = options ?? {};
  if (typeof client?.messages?.stream !== "function")
    throw new TypeError("client must be a client of @anthropic-ai/sdk: pass `new Anthropic()`");
  if (typeof model !== "string" || model === "")
    throw new TypeError("model must be the id of the model that is to write the summary");
  if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be above 0 (five minutes by default), not ${timeoutMs}`);
  return async ({ text, instructions, maxOutputTokens }) => {
    const content = `<conversation>\n${text}\n</conversation>\n\n${instructions}`;
    const stream = client.messages.stream(
      { model, max_tokens: maxOutputTokens, messages: [{ role: "user", content }] },
      { signal: AbortSignal.timeout(timeoutMs), maxRetries: 0 },
    );
    const answer = await stream.finalMessage();
    return answer.content
      .map((block) => (isRecord(block) && typeof block.text === "string" ? block.text : ""))
      .join("");
  };
}

/** Fits `tools` of `messages.create`, which sends it without its functions, and of the SDK's tool runner, which calls them. */
interface SdkRecallTool {
  type: "custom";
  name: "recall";
  description: string;
  input_schema: RecallTool["parameters"];
  run(input: unknown): Promise<string>;
  parse(content: unknown): RecallInput;
}

export function createAnthropicRecallTool(originals: HashedOriginals): SdkRecallTool {
  const { name, description, parameters, run } = createRecallTool(originals);
  const parse = (content: unknown): RecallInput => (isInput(content) ? content : { handle: "" });
  return { type: "custom", name, description, input_schema: parameters, run: (input) => run(parse(input)), parse };
}

/** Only the shape is checked: a wrong value gets an answer in words. */
function isInput(content: unknown): content is RecallInput {
  return typeof content === "object" && content !== null && "handle" in content;
}
