import type { Hook } from "./hook.ts";

/** Every event that is answered. Loaded when it is asked for: an event pays for its own code and no other's. */
export const HOOKS: Readonly<Record<string, () => Promise<Hook>>> = {
  SessionStart: async () => (await import("./events/session-start.ts")).sessionStart,
  UserPromptSubmit: async () => (await import("./events/user-prompt-submit.ts")).userPromptSubmit,
  PreToolUse: async () => (await import("./events/pre-tool-use.ts")).preToolUse,
  PostToolUse: async () => (await import("./events/post-tool-use.ts")).postToolUse,
  PostToolUseFailure: async () => (await import("./events/post-tool-use-failure.ts")).postToolUseFailure,
  SubagentStart: async () => (await import("./events/subagent-start.ts")).subagentStart,
  SubagentStop: async () => (await import("./events/subagent-stop.ts")).subagentStop,
  PreCompact: async () => (await import("./events/pre-compact.ts")).preCompact,
  PostCompact: async () => (await import("./events/post-compact.ts")).postCompact,
  Stop: async () => (await import("./events/stop.ts")).stop,
  SessionEnd: async () => (await import("./events/session-end.ts")).sessionEnd,
  // Not an event: the program behind the client's status line.
  statusline: async () => (await import("./events/statusline.ts")).statusline,
};
