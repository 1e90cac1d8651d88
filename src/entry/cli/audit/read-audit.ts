import { statSync } from "node:fs";
import { readSettings } from "../../../files/project-settings.ts";
import type { LoadedInstruction, ServerConfig } from "../../../hosts/baseline.ts";
import { locateHome, requireBaseline } from "../../../hosts/catalogue.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { isIdle, LEAST_SESSIONS } from "../../../recorded/audit/find-unused.ts";
import type { AuditedServer } from "../../../recorded/audit/startup-context.ts";
import { cutDescription, toName, weighTools } from "../../../recorded/audit/weigh-tools.ts";
import { isLoopbackUrl } from "../../gateway/http/choose-proxy.ts";
import type { Terminal } from "../command.ts";
import { type Audit, judgeBaseline, weighFiles } from "./judge-baseline.ts";
import type { Probe, ProbeOptions } from "./mcp-probe.ts";
import { type Recorded, readRecorded, type ToolUse } from "./read-recorded.ts";

/** Reads the records and files of a project; starts servers only if asked to. */
export async function readAudit(
  project: string,
  terminal: Terminal,
  start?: (configs: readonly ServerConfig[]) => Promise<readonly ServerConfig[]>,
): Promise<Audit> {
  const { environment, hosts } = terminal;
  const baseline = requireBaseline(hosts);
  const { servers: configs, problems } = baseline.readServers(environment, project);
  const probed = await probeServers(start ? await start(configs) : configs, {
    isStarting: start !== undefined,
    timeoutMs: PROBE_TIMEOUT_MS,
    directory: project,
    environment,
  });
  const recorded = await readRecorded(project, terminal);
  const { tokenizer, use, calls } = recorded;
  const { settings } = readSettings(environment, locateHome(environment, hosts), project);
  const instructions = baseline.readInstructions(environment, project);
  const files = weighFiles(instructions, baseline.readDefinitions(environment, project, tokenizer), tokenizer);
  return judgeBaseline(project, recorded, {
    servers: probed.map((server) => weighServer(server, use, tokenizer)),
    files: { ...files, skippedFiles: [...files.skippedFiles, ...problems] },
    idle: findIdle(instructions.files, calls),
    evidence: await baseline.readToolEvidence(environment, project, tokenizer),
    deferred: settings.base === "trim" ? baseline.readDeferred(environment, project) : [],
  });
}

/** Instruction files that name nothing used by any session since their last change, with the number of those sessions. */
function findIdle(files: readonly LoadedInstruction[], calls: Recorded["calls"]): ReadonlyMap<string, number> {
  return new Map(
    files.flatMap(({ path, text }) => {
      const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      const since = calls.filter(({ endedMs }) => endedMs > changedMs).map(({ inputs }) => inputs);
      return since.length >= LEAST_SESSIONS && isIdle(text, since) ? [[path, since.length]] : [];
    }),
  );
}

/** Combines a probed server with its use in the recorded sessions. `tokens` is filled in once the loading is known. */
function weighServer({ config, outcome }: ProbedServer, use: ToolUse, tokenizer: Tokenizer): AuditedServer {
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

type ProbeOutcome = Probe | { readonly status: "notMeasured"; readonly why: string };

export interface ProbedServer {
  readonly config: ServerConfig;
  readonly outcome: ProbeOutcome;
}

const PROBE_TIMEOUT_MS = 10_000;

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
