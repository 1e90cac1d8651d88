import type { Message } from "./messages-body.ts";
import type { RenderedMessage } from "./render-answer.ts";

export interface Post {
  readonly messages: readonly Message[];
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request to a scripted API, as a client would. */
export function sendMessage(url: string, post: Post): Promise<Response> {
  const { headers, ...body } = post;
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "claude-sonnet-4-6", max_tokens: 1000, ...body }),
  });
}

export function user(words: string): Message {
  return { role: "user", content: [{ type: "text", text: words, cache_control: { type: "ephemeral" } }] };
}

export function assistant(words: string): Message {
  return { role: "assistant", content: words };
}

/** The same for an answer that is not streamed. */
export async function fetchMessage(url: string, post: Post): Promise<RenderedMessage> {
  return (await (await sendMessage(url, post)).json()) as RenderedMessage;
}
