import type { Api } from "./raw-answer.ts";

export interface Exchange {
  /** What the model said and called, as the client sends it back. */
  readonly said: readonly string[];
  readonly callId?: string;
  readonly result?: string;
}

const TOOL = "load_document";

/** A request of a client that works with one tool, in the words of either API. */
export function renderConversation(
  api: Api,
  exchanges: readonly Exchange[],
  about: { readonly isStream: boolean; readonly prompt: string; readonly userId?: string },
): string {
  const { isStream, prompt, userId } = about;
  if (api === "responses")
    return JSON.stringify({
      model: "gpt-5.5",
      stream: isStream,
      tools: [{ type: "function", name: TOOL, strict: false, parameters: { type: "object" } }],
      input: [message("user", "input_text", prompt), ...exchanges.flatMap(toItems)],
    });
  return JSON.stringify({
    model: "claude-sonnet-4-6",
    max_tokens: 100,
    stream: isStream,
    ...(userId === undefined ? {} : { metadata: { user_id: userId } }),
    tools: [{ name: TOOL, input_schema: { type: "object" } }],
    messages: [{ role: "user", content: prompt }, ...exchanges.flatMap(toMessages)],
  });
}

function toMessages({ said, callId, result }: Exchange): readonly object[] {
  const call = callId === undefined ? [] : [{ type: "tool_use", id: callId, name: TOOL, input: { name: "it" } }];
  const content = [...said.map((text) => ({ type: "text", text })), ...call];
  const given = { type: "tool_result", tool_use_id: callId, content: result };
  return [
    { role: "assistant", content },
    { role: "user", content: callId === undefined ? "Go on." : [given] },
  ];
}

function toItems({ said, callId, result }: Exchange): readonly object[] {
  const spoken = said.map((text) => message("assistant", "output_text", text));
  if (callId === undefined) return [...spoken, message("user", "input_text", "Go on.")];
  return [
    ...spoken,
    { type: "function_call", call_id: callId, name: TOOL, arguments: '{"name":"it"}' },
    { type: "function_call_output", call_id: callId, output: result },
  ];
}

function message(role: string, type: string, text: string): object {
  return { type: "message", role, content: [{ type, text }] };
}

/** A document that is long enough to be folded, with a word in its middle that is in no preview. */
export function writeDocument(secret: string, seed: number): string {
  const line = (index: number): string =>
    `Section ${index}: party ${seed} proceeds with reasonable dispatch to berth ${index * 31 + seed} and waits there.`;
  const lines = Array.from({ length: 230 }, (_, index) => line(index + 1));
  return lines.toSpliced(115, 0, `Clause 17.4 names ${secret}.`).join("\n");
}
