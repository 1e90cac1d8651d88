/** Records of other clients, made up, in the forms that their files have. */

export function toLines(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
}

let second = 0;
const at = (): string => new Date(Date.UTC(2026, 5, 1) + 1000 * second++).toISOString();

export function rollout(type: string, payload: object): object {
  return { timestamp: at(), type, payload };
}

function item(payload: object): object {
  return rollout("response_item", payload);
}

export function said(role: "user" | "developer" | "assistant", text: string): object {
  const type = role === "assistant" ? "output_text" : "input_text";
  return item({ type: "message", role, content: [{ type, text }] });
}

export function called(callId: string, name: string, input: object): object {
  return item({ type: "function_call", name, arguments: JSON.stringify(input), call_id: callId });
}

export function answered(callId: string, output: string): object {
  return item({ type: "function_call_output", call_id: callId, output });
}

/** The running total, which the client repeats. */
export function counted(total: number, last: { input: number; cached: number; output: number }): object {
  const usage = { input_tokens: last.input, cached_input_tokens: last.cached, output_tokens: last.output };
  const info = { total_token_usage: { total_tokens: total }, last_token_usage: usage, model_context_window: 258_400 };
  return rollout("event_msg", { type: "token_count", info });
}

/** How much the last request of a session carried: as little as the recorded lines say, by default. */
export interface Load {
  readonly contextTokens?: number;
}

export const codexSession = ({ contextTokens = 1200 }: Load = {}): readonly object[] => [
  rollout("session_meta", { id: "0199-codex", cwd: "/ship/work", cli_version: "0.142.0", source: "cli" }),
  said("developer", "<permissions instructions>\nAll is allowed."),
  said("user", "# AGENTS.md instructions for /ship/work\n\nKeep the log."),
  rollout("turn_context", { cwd: "/ship/work", model: "gpt-5.5" }),
  said("user", "sail to the harbour"),
  item({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" }),
  called("call_1", "exec_command", { cmd: "ls rigging" }),
  answered("call_1", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nno such deck"),
  counted(1000, { input: 900, cached: 0, output: 100 }),
  counted(1000, { input: 900, cached: 0, output: 100 }),
  said("assistant", "The rigging is gone."),
  counted(2300, { input: contextTokens, cached: contextTokens - 304, output: 100 }),
];

export const CODEX_SESSION: readonly object[] = codexSession();

export const piSession = ({ contextTokens = 907 }: Load = {}): readonly object[] => [
  { type: "session", version: 3, id: "pi-1", timestamp: at(), cwd: "/ship/work" },
  message("a1", null, { role: "user", content: [{ type: "text", text: "sail to the harbour" }] }),
  message("a2", "a1", answerOfPi([{ type: "toolCall", id: "t1", name: "bash", arguments: { command: "ls" } }], 900, 0)),
  message("a3", "a2", {
    role: "toolResult",
    toolCallId: "t1",
    toolName: "bash",
    content: [{ type: "text", text: "deck" }],
    isError: false,
  }),
  message("a4", "a3", answerOfPi([{ type: "text", text: "a branch that is left" }], 1, 900)),
  message("a5", "a3", answerOfPi([{ type: "text", text: "There is a deck." }], 2, contextTokens - 7)),
];

export const PI_SESSION: readonly object[] = piSession();

export function message(id: string, parentId: string | null, inner: object): object {
  return { type: "message", id, parentId, timestamp: at(), message: inner };
}

export function answerOfPi(content: readonly object[], input: number, cacheRead: number): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input, output: 10, cacheRead, cacheWrite: 5, totalTokens: input + cacheRead + 15, cost };
  return { role: "assistant", content, provider: "anthropic", model: "claude-opus-4-5", usage, stopReason: "stop" };
}

export function openCodeMessage(id: string, role: "user" | "assistant", parts: readonly object[], info = {}): object {
  const tokens = { input: 100, output: 10, reasoning: 5, cache: { read: 800, write: 0 } };
  const answer = role === "assistant" ? { modelID: "gpt-5.4", providerID: "openai", tokens, finish: "stop" } : {};
  return { info: { id, role, time: { created: Date.UTC(2026, 5, 1) }, ...answer, ...info }, parts };
}

export interface Exported {
  readonly info: object;
  readonly messages: readonly object[];
}

export const openCodeSession = ({ contextTokens = 900 }: Load = {}): Exported => ({
  info: { id: "ses_1", directory: "/ship/work", title: "To the harbour", version: "1.18.18" },
  messages: [
    openCodeMessage("msg_1", "user", [{ type: "text", text: "sail to the harbour" }]),
    openCodeMessage("msg_2", "assistant", [
      { type: "step-start" },
      {
        type: "tool",
        tool: "bash",
        callID: "c1",
        state: { status: "completed", input: { command: "ls" }, output: "deck", metadata: { exit: 0 } },
      },
      { type: "step-finish" },
    ]),
    openCodeMessage("msg_3", "assistant", [{ type: "text", text: "There is a deck." }], {
      tokens: { input: 100, output: 10, reasoning: 5, cache: { read: contextTokens - 100, write: 0 } },
    }),
  ],
});

export const OPENCODE_SESSION: Exported = openCodeSession();

const event = (type: string, data: object): object => ({ type, data, id: `e${second}`, timestamp: at() });

export const COPILOT_SESSION: readonly object[] = [
  event("session.start", { sessionId: "cop-1", copilotVersion: "1.0.64", context: { cwd: "/ship/work" } }),
  event("user.message", { content: "sail to the harbour" }),
  event("hook.start", { hookType: "userPromptSubmitted" }),
  event("assistant.message", {
    messageId: "m1",
    model: "gpt-5.6-sol",
    content: "",
    toolRequests: [{ toolCallId: "c1", name: "bash", arguments: { command: "ls" } }],
  }),
  event("tool.execution_complete", { toolCallId: "c1", success: true, result: { content: "deck" } }),
  event("assistant.message", { messageId: "m2", content: "There is a deck.", toolRequests: [] }),
];

export const geminiSession = ({ contextTokens = 1000 }: Load = {}): object => ({
  sessionId: "gem-1",
  projectHash: "00",
  messages: [
    { id: "g0", type: "info", content: "There is an update." },
    {
      id: "g1",
      type: "user",
      content: [{ text: "sail to the harbour" }, { text: "log.md: day one" }],
      displayContent: "sail",
    },
    {
      id: "g2",
      type: "gemini",
      timestamp: "2026-06-01T00:00:01.000Z",
      content: "Looking.",
      model: "gemini-3-flash-preview",
      thoughts: [{ subject: "The harbour", description: "It is near." }],
      tokens: { input: contextTokens, output: 20, cached: contextTokens - 400, thoughts: 30, tool: 0, total: 1050 },
      toolCalls: [
        {
          id: "c1",
          name: "run_shell_command",
          args: { command: "ls" },
          status: "success",
          result: [{ functionResponse: { response: { output: "deck" } } }],
        },
      ],
    },
  ],
});

export const GEMINI_SESSION: object = geminiSession();
