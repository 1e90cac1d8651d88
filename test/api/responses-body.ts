import type { ApiRequest } from "./api-request.ts";
import { type ContentBlock, isRecord, type Message } from "./messages-body.ts";

/** The body of a Responses API request, parsed at the entry point. */
export interface ResponsesBody {
  readonly model: string;
  readonly input: readonly Item[];
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly stream: boolean;
  readonly raw: Readonly<Record<string, unknown>>;
}

export type Item = Readonly<Record<string, unknown>>;

/** A request to `POST /v1/responses`, kept for assertions. */
export interface ResponsesRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ResponsesBody;
  /** What the API would have refused it for. */
  readonly violations: readonly string[];
}

/** The sentence that the API would answer with where the body is none of its own. */
export function parseResponsesBody(raw: unknown): ResponsesBody | string {
  if (!isRecord(raw)) return "the body must be a JSON object";
  if (typeof raw.model !== "string") return "Missing required parameter: 'model'.";
  if (!Array.isArray(raw.input) || !raw.input.every(isRecord)) return "Invalid type for 'input'.";
  const tools = Array.isArray(raw.tools) ? raw.tools.filter(isRecord) : [];
  return { model: raw.model, input: raw.input, tools, stream: raw.stream === true, raw };
}

const CALLS: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "function_call_output"],
  ["custom_tool_call", "custom_tool_call_output"],
  ["local_shell_call", "local_shell_call_output"],
]);
const OUTPUTS: ReadonlySet<unknown> = new Set(CALLS.values());

/** What the API refuses: calls without outputs and the other way round, reasoning without what it led to, what it did not encrypt itself. */
export function validateInput(input: readonly Item[], isOwn: (encrypted: string) => boolean): readonly string[] {
  const found: string[] = [];
  const open = new Set<unknown>();
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`;
    if (CALLS.has(item.type)) open.add(item.call_id);
    if (OUTPUTS.has(item.type) && !open.delete(item.call_id))
      found.push(`${at}: No tool call found for ${item.call_id}`);
    if (item.type === "reasoning") {
      const next = input.slice(index + 1).find(({ type }) => type !== "reasoning");
      const isFollowed = next !== undefined && (CALLS.has(next.type) || next.role === "assistant");
      if (!isFollowed) found.push(`${at}: reasoning was provided without its required following item`);
    }
    const { encrypted_content: encrypted } = item;
    if (encrypted !== undefined && encrypted !== null && !(typeof encrypted === "string" && isOwn(encrypted)))
      found.push(`${at}: The encrypted content could not be verified`);
  }
  for (const callId of open) found.push(`No tool output found for ${String(callId)}`);
  return found;
}

/** A log of Responses requests in the terms of the auditor, which reads Messages. */
export function toApiRequest({ headers, body }: ResponsesRequest): ApiRequest {
  const metadata: unknown = JSON.parse(headers["x-codex-turn-metadata"] ?? "{}");
  const isCompaction = isRecord(metadata) && metadata.request_kind === "compaction";
  const messages: { role: string; content: ContentBlock[] }[] = [];
  const system: ContentBlock[] = [];
  for (const item of body.input) {
    const { role, blocks } = toBlocks(item);
    if (role === "system" && messages.length === 0) {
      system.push(...blocks);
      continue;
    }
    const last = messages.at(-1);
    if (last?.role === role && role !== "system") last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  }
  return {
    lane: isCompaction ? "compaction" : "main",
    agentId: headers["thread-id"] ?? "",
    path: "/v1/responses",
    headers: { "x-claude-code-session-id": headers["session-id"] ?? "" },
    body: {
      model: body.model,
      messages: messages satisfies readonly Message[],
      system,
      tools: [],
      stream: true,
      raw: {},
    },
    atMs: 0,
  };
}

function toBlocks(item: Item): { readonly role: string; readonly blocks: readonly ContentBlock[] } {
  if (item.type === "reasoning")
    return {
      role: "assistant",
      blocks: [{ type: "thinking", thinking: "", signature: String(item.encrypted_content) }],
    };
  if (CALLS.has(item.type)) {
    const input: unknown = typeof item.arguments === "string" ? JSON.parse(item.arguments) : { input: item.input };
    return { role: "assistant", blocks: [{ type: "tool_use", id: item.call_id, name: item.name, input }] };
  }
  if (OUTPUTS.has(item.type)) {
    const { output } = item;
    const content = Array.isArray(output) ? output.map(toPart) : output;
    return { role: "user", blocks: [{ type: "tool_result", tool_use_id: item.call_id, content }] };
  }
  const role = item.role === "developer" ? "system" : String(item.role ?? "system");
  const parts: readonly unknown[] = Array.isArray(item.content) ? item.content : [];
  return { role, blocks: parts.map(toPart) };
}

function toPart(part: unknown): ContentBlock {
  return isRecord(part) && typeof part.text === "string" ? { type: "text", text: part.text } : { type: "other", part };
}
