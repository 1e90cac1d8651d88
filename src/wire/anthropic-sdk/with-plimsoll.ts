import { type CompactOptions, createAnthropicCompactor } from "../anthropic/compact.ts";
import type { Compacted, Compactor, PreparedRequest } from "../compactor.ts";
import type { WireMessage } from "../conversation.ts";
import { isRecord } from "../is-json.ts";
import type { SdkClient, SdkMiddleware, SdkRequest } from "./sdk-client.ts";

export interface WithPlimsollOptions extends CompactOptions {
  /** After every request that was looked at, before it is sent: the moment to save the ledger. */
  readonly onPrepared?: (compacted: Compacted) => void | Promise<void>;
  /** What went wrong on our side, `onPrepared` included; the request has gone as it came. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * The same client for one conversation, kept below its line: `messages.create`, `messages.stream` and all that is built on
 * them. An answer that it does not fit is met by compacting harder and sending once more. Make one per conversation.
 */
export function withPlimsoll<Client extends SdkClient>(client: Client, options: WithPlimsollOptions): Client {
  if (typeof client?.withOptions !== "function" || !Array.isArray(client.middleware))
    throw new TypeError("client must be a client of @anthropic-ai/sdk 0.102 or later: older ones take no middleware");
  const compactor = createAnthropicCompactor(options);
  // Last in the row, so that the client's other middleware sees what was asked for, and not what became of it.
  return client.withOptions({ middleware: [...client.middleware, createMiddleware(compactor, options)] });
}

function createMiddleware(compactor: Compactor, options: WithPlimsollOptions): SdkMiddleware {
  return async (request, next) => {
    const body = parseBody(request);
    if (!body) return next(request);
    const prepared = await prepare(compactor, body.messages, options);
    if (!prepared) return next(request);
    const response = await next(withMessages(request, body, prepared.messages));
    if (response.ok) return response;
    const harder = await react(prepared, response, options);
    return harder ? next(withMessages(request, body, harder.messages)) : response;
  };
}

/** Whatever goes wrong on our side, the request goes as it came. */
async function prepare(
  compactor: Compactor,
  messages: readonly WireMessage[],
  { onPrepared, onFailure }: WithPlimsollOptions,
): Promise<PreparedRequest | undefined> {
  try {
    const prepared = await compactor.prepare(messages);
    await onPrepared?.(prepared);
    return prepared;
  } catch (error) {
    onFailure?.(error);
    return undefined;
  }
}

async function react(
  prepared: PreparedRequest,
  response: Response,
  { onPrepared, onFailure }: WithPlimsollOptions,
): Promise<Compacted | undefined> {
  try {
    const harder = await prepared.react(response.status, await response.clone().text());
    if (harder) await onPrepared?.(harder);
    return harder;
  } catch (error) {
    onFailure?.(error);
    return undefined;
  }
}

type Body = Readonly<Record<string, unknown>> & { readonly messages: readonly WireMessage[] };

/** Only what asks for an answer: counting tokens and batches have bodies of their own. */
function parseBody({ url, body }: SdkRequest): Body | undefined {
  if (!/\/v1\/messages(?:\?|$)/.test(url) || typeof body !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) && Array.isArray(parsed.messages) ? { ...parsed, messages: parsed.messages } : undefined;
  } catch {
    return undefined;
  }
}

/** The identical request where nothing changed: the same bytes. */
function withMessages(request: SdkRequest, body: Body, messages: readonly WireMessage[]): SdkRequest {
  return messages === body.messages ? request : { ...request, body: JSON.stringify({ ...body, messages }) };
}
