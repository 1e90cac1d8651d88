import type { ServerConfig } from "../../../hosts/baseline.ts";
import { requireBaseline } from "../../../hosts/catalogue.ts";
import { weighServer } from "../audit/audit-servers.ts";
import { describePath, renderPath } from "../audit/describe-path.ts";
import { judgeBaseline } from "../audit/judge-baseline.ts";
import { PROBE_TIMEOUT_MS, probeServers } from "../audit/probe-servers.ts";
import { readRecorded } from "../audit/read-recorded.ts";
import { renderAudit } from "../audit/render-audit.ts";
import { PROJECT_OPTION, requireProject } from "../audit/require-project.ts";
import { weighFiles } from "../audit/weigh-files.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import type { Command, Invocation, Terminal } from "../command.ts";
import { canAsk, confirm } from "../install/confirm.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely } from "../style.ts";

export const auditCommand: Command = {
  name: "audit",
  summary:
    "What every request pays before a word is said: MCP servers, agents, skills, instructions, and what would help",
  options: [
    PROJECT_OPTION,
    {
      name: "path",
      value: "FILE",
      help: "only what a session that works on this file is told: instruction files in order, conflicts, duplicates, and what Plimsoll adds",
    },
    { name: "yes", help: "start a project's servers too that you have not approved in the client" },
    { name: "no-start", help: "start no MCP server: in a project that you do not trust" },
    JSON_OPTION,
  ],
  examples: [
    {
      command: "plimsoll audit",
      shows: "servers are started, measured and ended; then the baseline and what would lower it",
    },
    {
      command: "plimsoll audit --path src/index.ts",
      shows: "which instructions hold for that file, and what a session is told",
    },
    { command: "plimsoll audit --no-start --json", shows: "files and recorded sessions only, for a script" },
  ],
  async run(invocation, terminal) {
    const project = requireProject(invocation, terminal);
    const about = invocation.values.get("path");
    if (about !== undefined) {
      const described = await describePath(project, about, terminal);
      return terminal.print(invocation.flags.has("json") ? renderJson(described) : renderPath(described));
    }
    const { environment, hosts } = terminal;
    const baseline = requireBaseline(hosts);
    const { servers: configs, problems } = baseline.readServers(environment, project);
    const probed = await probeServers(await askBeforeStart(configs, invocation, terminal), {
      isStarting: !invocation.flags.has("no-start"),
      timeoutMs: PROBE_TIMEOUT_MS,
      directory: project,
      environment: terminal.environment,
    });
    const recorded = await readRecorded(project, terminal);
    const { tokenizer } = recorded;
    const instructions = baseline.readInstructions(environment, project);
    const definitions = baseline.readDefinitions(environment, project, tokenizer);
    const files = weighFiles(instructions, definitions, tokenizer);
    const servers = probed.map((server) => weighServer(server, recorded.use, tokenizer));
    const skippedFiles = [...files.skippedFiles, ...problems];
    const audit = judgeBaseline({ project, recorded, servers, files: { ...files, skippedFiles } });
    terminal.print(invocation.flags.has("json") ? renderJson(audit) : renderAudit(audit, terminal));
  },
};

/** Programs that a project brought along, and that the client was not told to run, run only when a person says so. */
async function askBeforeStart(
  configs: readonly ServerConfig[],
  { flags }: Invocation,
  terminal: Terminal,
): Promise<readonly ServerConfig[]> {
  const isAsked = ({ isApproved, isDisabled, transport }: ServerConfig): boolean =>
    !isApproved && !isDisabled && transport?.kind === "stdio";
  const asked = configs.filter(isAsked);
  if (asked.length === 0 || flags.has("no-start") || flags.has("yes")) return configs;
  if (canAsk(terminal)) {
    for (const { name, transport } of asked)
      if (transport?.kind === "stdio")
        terminal.remark(`${renderSafely(`${name}: ${[transport.command, ...transport.args].join(" ")}`)}\n`);
    const question = "You have not approved these servers of the project in the client. Start them?";
    if (await confirm(question, terminal)) return configs;
  }
  return configs.map((config) =>
    isAsked(config)
      ? { ...config, transport: undefined, problem: "not approved in the client, and not started: --yes does" }
      : config,
  );
}
