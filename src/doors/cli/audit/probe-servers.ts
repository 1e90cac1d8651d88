import type { ServerConfig } from "../../../hosts/baseline.ts";
import { isLoopbackUrl } from "./is-loopback.ts";
import type { Probe, ProbeOptions } from "./mcp-probe.ts";

export type ProbeOutcome = Probe | { readonly status: "notMeasured"; readonly why: string };

export interface ProbedServer {
  readonly config: ServerConfig;
  readonly outcome: ProbeOutcome;
}

export const PROBE_TIMEOUT_MS = 10_000;

/** All of them side by side: one that hangs costs the others nothing. */
export async function probeServers(
  configs: readonly ServerConfig[],
  options: ProbeOptions & { readonly isStarting: boolean },
): Promise<readonly ProbedServer[]> {
  const reasons = configs.map((config) => findReason(config, options.isStarting));
  // Loaded only where there is a server to start: it is larger than everything else in the program.
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
  if (isDisabled) return "switched off in the client's settings";
  if (!transport) return problem ?? "not understood";
  if (transport.kind !== "stdio" && !isLoopbackUrl(transport.url))
    return "not on this machine: nothing is sent anywhere to measure it";
  return isStarting ? undefined : "not started, as asked";
}
