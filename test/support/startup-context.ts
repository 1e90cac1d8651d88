import type { Definition } from "../../src/hosts/baseline.ts";
import type {
  AuditedServer,
  FirstRequest,
  StartupContext,
  WeighedFiles,
  WeighedInstruction,
} from "../../src/recorded/audit/startup-context.ts";

export function auditedServer(name: string, change: Partial<AuditedServer> = {}): AuditedServer {
  return {
    name,
    scope: "user",
    file: "/home/.claude.json",
    isDisabled: false,
    isApproved: true,
    status: "measured",
    why: undefined,
    lastError: undefined,
    tools: 0,
    schemas: [],
    loadedTokens: 0,
    loadedHighTokens: 0,
    deferredTokens: 0,
    instructionTokens: 0,
    tokens: 0,
    calls: 0,
    sessions: 0,
    ...change,
  };
}

export function definition(name: string, change: Partial<Definition> = {}): Definition {
  return { name, path: `${name}.md`, listingTokens: 0, bodyTokens: 0, lines: 1, ...change };
}

export function instruction(change: Partial<WeighedInstruction>): WeighedInstruction {
  const empty = { path: "CLAUDE.md", scope: "project", lines: 1, characters: 0, tokens: 0, excessTokens: 0 };
  return { ...empty, importedBy: undefined, ...change };
}

export const firstRequest: FirstRequest = {
  model: "claude-opus-5",
  contextTokens: 30_000,
  promptTokens: 0,
  baseTokens: 30_000,
  listings: {},
  deferredTools: [],
};

export function startupContext(
  change: Partial<StartupContext> = {},
  files: Partial<WeighedFiles> = {},
): StartupContext {
  const none = { instructions: [], scopedRules: [], memoryTokens: 0, agents: [], skills: [], skippedFiles: [] };
  return {
    servers: [],
    files: { ...none, ...files },
    first: undefined,
    loading: "loaded",
    windowTokens: 200_000,
    price: (tokens) => ({ usdPerMonth: tokens / 1000, isAtLeast: false }),
    ...change,
  };
}
