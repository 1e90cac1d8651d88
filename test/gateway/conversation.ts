/** Conversations for the gateway's tests: a tool loop that grows as a client's does, breakpoint at its end. */
export interface WireBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface SentMessage {
  readonly role: string;
  readonly content: string | readonly WireBlock[];
}

export function person(text: string): SentMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function calls(...uses: readonly (readonly [id: string, tool: string, input: object])[]): SentMessage {
  return { role: "assistant", content: uses.map(([id, name, input]) => ({ type: "tool_use", id, name, input })) };
}

export function results(...texts: readonly (readonly [id: string, text: string])[]): SentMessage {
  return {
    role: "user",
    content: texts.map(([id, text]) => ({ type: "tool_result", tool_use_id: id, content: text })),
  };
}

export function lines(
  count: number,
  words = "compute the draught of the hull from the marks at its stem and its stern",
): string {
  return Array.from({ length: count }, (_, line) => `${line + 1}: ${words} ${line * 7919}`).join("\n");
}

/** A loop of `rounds` steps, each with a command and its output of `size` lines. */
export function toolLoop(rounds: number, size: number): readonly SentMessage[] {
  const messages: SentMessage[] = [person("Survey the hull.")];
  for (let round = 0; round < rounds; round++)
    messages.push(
      calls([`toolu_${round}`, "Bash", { command: `survey --deck ${round}` }]),
      results([`toolu_${round}`, `${lines(size)}\nround ${round}`]),
    );
  return messages;
}

/** A client that calls tools offers them. */
const TOOLS: readonly object[] = [{ name: "Bash", description: "Runs a command.", input_schema: { type: "object" } }];

/** The body of a request, with the breakpoint where a client puts it. */
export function renderBody(messages: readonly SentMessage[], more: Readonly<Record<string, unknown>> = {}): string {
  const marked = messages.map((message, index) => (index === messages.length - 1 ? mark(message) : message));
  return JSON.stringify({
    model: "claude-sonnet-4-6",
    messages: marked,
    max_tokens: 1000,
    tools: TOOLS,
    system: [{ type: "text", text: "You survey ships.", cache_control: { type: "ephemeral" } }],
    metadata: { user_id: JSON.stringify({ device_id: "d", session_id: "5e5510a0-0000-4000-8000-000000000001" }) },
    ...more,
  });
}

function mark(message: SentMessage): SentMessage {
  if (typeof message.content === "string") return message;
  const last = message.content.length - 1;
  return {
    ...message,
    content: message.content.map((block, index) =>
      index === last ? { ...block, cache_control: { type: "ephemeral" } } : block,
    ),
  };
}

export function post(
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "sk-ant-made-up", ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
}
