import type { ApiRequest } from "../api/api-request.ts";
import type { ContentBlock, Message } from "../api/messages-body.ts";

/** Short spellings for logged requests, so that a test reads like the conversation. */

export function request(messages: readonly Message[], more: Partial<ApiRequest> = {}): ApiRequest {
  return {
    lane: "main",
    agentId: "",
    path: "/v1/messages",
    headers: { "x-claude-code-session-id": "s1" },
    body: { model: "m", messages, system: [], tools: [], stream: true, raw: {} },
    atMs: 0,
    ...more,
  };
}

export function said(...blocks: readonly (string | ContentBlock)[]): Message {
  return { role: "user", content: blocks.map(toBlock) };
}

export function answered(...blocks: readonly (string | ContentBlock)[]): Message {
  return { role: "assistant", content: blocks.map(toBlock) };
}

export function use(id: string, input: Readonly<Record<string, unknown>> = { command: `run ${id}` }): ContentBlock {
  return { type: "tool_use", id, name: "Bash", input };
}

export function result(id: string, content: string | readonly ContentBlock[]): ContentBlock {
  return { type: "tool_result", tool_use_id: id, content };
}

export function picture(data: string): ContentBlock {
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

function toBlock(block: string | ContentBlock): ContentBlock {
  return typeof block === "string" ? { type: "text", text: block } : block;
}

/** A recall out of what a test puts into it: texts, and pictures as they are stored. */
export function recallFrom(kept: Readonly<Record<string, string>>): (handle: string) => Promise<Kept | undefined> {
  return async (handle) => {
    const text = kept[handle];
    if (text === undefined) return undefined;
    const [, mediaType = "", data] = /^data:([^;]+);base64,(.*)$/.exec(text) ?? [];
    return data === undefined ? { texts: [text], pictures: [] } : { texts: [], pictures: [{ mediaType, data }] };
  };
}

interface Kept {
  readonly texts: readonly string[];
  readonly pictures: readonly { readonly mediaType: string; readonly data: string }[];
}
