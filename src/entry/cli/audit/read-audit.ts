import { statSync } from "node:fs";
import { readSettings } from "../../../files/project-settings.ts";
import type { LoadedInstruction, ServerConfig } from "../../../hosts/baseline.ts";
import { locateHome, requireBaseline } from "../../../hosts/catalogue.ts";
import { isIdle, LEAST_SESSIONS } from "../../../recorded/audit/find-unused.ts";
import type { Terminal } from "../command.ts";
import { PROBE_TIMEOUT_MS, probeServers, weighServer } from "./audit-servers.ts";
import { type Audit, judgeBaseline, weighFiles } from "./judge-baseline.ts";
import { type Recorded, readRecorded } from "./read-recorded.ts";

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
