import type { Hook } from "./hook.ts";

interface Entry {
  /** Loaded on demand: an event pays only for its own code. */
  readonly load: () => Promise<Hook>;
  /** How long the client waits. */
  readonly seconds: number;
  readonly matcher?: string;
}

const LOOKED_AT =
  "Bash|PowerShell|Read|NotebookRead|Grep|Glob|LS|Edit|MultiEdit|Write|NotebookEdit|Task|Agent|WebFetch|mcp__.*";

/** Every event that is answered; the build writes the plugin's `hooks.json` from it. */
export const HOOKS: Readonly<Record<string, Entry>> = {
  SessionStart: {
    matcher: "startup|resume|clear|compact",
    seconds: 10,
    load: async () => (await import("./events/session-start.ts")).sessionStart,
  },
  UserPromptSubmit: { seconds: 5, load: async () => (await import("./events/user-prompt-submit.ts")).userPromptSubmit },
  PreToolUse: {
    matcher: LOOKED_AT,
    seconds: 5,
    load: async () => (await import("./events/pre-tool-use.ts")).preToolUse,
  },
  PostToolUse: { matcher: "*", seconds: 5, load: async () => (await import("./events/post-tool-use.ts")).postToolUse },
  PostToolUseFailure: {
    matcher: "*",
    seconds: 5,
    load: async () => (await import("./events/post-tool-use.ts")).postToolUseFailure,
  },
  PreCompact: {
    matcher: "manual|auto",
    seconds: 10,
    load: async () => (await import("./events/pre-compact.ts")).preCompact,
  },
  PostCompact: { seconds: 10, load: async () => (await import("./events/post-compact.ts")).postCompact },
  Stop: { seconds: 10, load: async () => (await import("./events/stop.ts")).stop },
  SubagentStart: { seconds: 5, load: async () => (await import("./events/subagent-start.ts")).subagentStart },
  // The client's summariser has no type; other subagents are not looked at.
  SubagentStop: {
    matcher: "^$",
    seconds: 5,
    load: async () => (await import("./events/subagent-stop.ts")).subagentStop,
  },
  SessionEnd: { seconds: 5, load: async () => (await import("./events/session-end.ts")).sessionEnd },
};
