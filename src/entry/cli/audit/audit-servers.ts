import type { ServerConfig } from "../../../hosts/baseline.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { rankServers } from "../../../recorded/audit/list-recommendations.ts";
import type { AuditedServer, Loading } from "../../../recorded/audit/startup-context.ts";
import { cutDescription, toName, weighTools } from "../../../recorded/audit/weigh-tools.ts";
import { isLoopbackUrl } from "../../gateway/http/choose-proxy.ts";
import type { Probe, ProbeOptions } from "./mcp-probe.ts";
import type { ToolUse } from "./read-recorded.ts";

/** Combines a probed server with its use in the recorded sessions. `tokens` is filled in once the loading is known. */
export function weighServer({ config, outcome }: ProbedServer, use: ToolUse, tokenizer: Tokenizer): AuditedServer {
  const { name, scope, file, isDisabled, isApproved } = config;
  const isMeasured = outcome.status === "measured";
  const { tools: schemas, ...weighed } = weighTools(name, isMeasured ? outcome.tools : [], tokenizer);
  const calls = [...use.tools].flatMap(([tool, used]) => (tool.startsWith(`mcp__${toName(name)}__`) ? used : []));
  const instructions = isMeasured ? cutDescription(outcome.instructions) : "";
  return {
    name,
    scope,
    file,
    isDisabled,
    isApproved,
    status: outcome.status,
    why: isMeasured ? undefined : outcome.why,
    lastError: outcome.status === "failed" ? outcome.lastError : undefined,
    tools: schemas.length,
    schemas,
    ...weighed,
    instructionTokens: instructions === "" ? 0 : estimateTextTokens(`## ${name}\n${instructions}\n`, tokenizer),
    tokens: weighed.loadedTokens,
    calls: calls.length,
    sessions: new Set(calls).size,
  };
}

/** Adds what each server costs with the client's loading. Servers with the most tools and the least use come first. */
export function settleServers(servers: readonly AuditedServer[], loading: Loading): readonly AuditedServer[] {
  return rankServers(
    servers.map((server) => ({
      ...server,
      tokens: (loading === "deferred" ? server.deferredTokens : server.loadedTokens) + server.instructionTokens,
    })),
  );
}

type ProbeOutcome = Probe | { readonly status: "notMeasured"; readonly why: string };

export interface ProbedServer {
  readonly config: ServerConfig;
  readonly outcome: ProbeOutcome;
}

export const PROBE_TIMEOUT_MS = 10_000;

/** Probes all servers at the same time, so that one that hangs does not delay the others. */
export async function probeServers(
  configs: readonly ServerConfig[],
  options: ProbeOptions & { readonly isStarting: boolean },
): Promise<readonly ProbedServer[]> {
  const reasons = configs.map((config) => findReason(config, options.isStarting));
  // Loaded only if there is a server to start: this bundle is larger than the rest of the program.
  const probe = reasons.includes(undefined) ? (await import("./mcp-probe.ts")).probeServer : undefined;
  return await Promise.all(
    configs.map(async (config, index): Promise<ProbedServer> => {
      const why = reasons[index];
      if (why !== undefined || !probe || !config.transport)
        return { config, outcome: { status: "notMeasured", why: why ?? "not started" } };
      return { config, outcome: await probe(config.transport, options) };
    }),
  );
}

function findReason({ transport, problem, isDisabled }: ServerConfig, isStarting: boolean): string | undefined {
  if (isDisabled) return "switched off in the agent's settings";
  if (!transport) return problem ?? "Plimsoll does not understand this server's configuration";
  if (transport.kind !== "stdio" && !isLoopbackUrl(transport.url)) return "Plimsoll does not contact remote servers";
  return isStarting ? undefined : "not started, because of --no-start";
}
