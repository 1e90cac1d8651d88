import { existsSync } from "node:fs";
import { HOSTS } from "../../../hosts/catalogue.ts";
import type { Host } from "../../../hosts/host.ts";
import type { Terminal } from "../command.ts";
import type { Examined } from "../install/agents/agent.ts";
import { AGENTS } from "../install/agents/catalogue.ts";
import { type Client, findProgram } from "../install/find-client.ts";
import type { EntryPointEvent } from "./summarise-entry-points.ts";

export interface ExaminedAgent extends Examined {
  readonly name: string;
  readonly title: string;
  readonly program: Client | undefined;
  /** How often its hooks ran in the newest sessions, and when last; `undefined` if it has no hooks of its own. */
  readonly runs: { readonly count: number; readonly lastAtMs: number } | undefined;
  readonly impossible: readonly string[];
}

/** Every client except Claude Code whose program or folder exists. */
export async function examineAgents(
  terminal: Terminal,
  entryPoints: readonly EntryPointEvent[],
): Promise<readonly ExaminedAgent[]> {
  const all = await Promise.all(HOSTS.slice(1).map((host) => examineAgent(host, terminal, entryPoints)));
  return all.filter((agent) => agent !== undefined);
}

async function examineAgent(
  host: Host,
  terminal: Terminal,
  entryPoints: readonly EntryPointEvent[],
): Promise<ExaminedAgent | undefined> {
  const { name, title } = host;
  const program = await findProgram(host.program, undefined, terminal);
  const home = host.locateHome(terminal.environment);
  if (program === undefined && !existsSync(home)) return undefined;
  const agent = AGENTS.find((one) => one.name === name);
  const found = { name, title, program };
  if (agent === undefined)
    return {
      ...found,
      isInstalled: false,
      what: "Plimsoll reads this agent's sessions",
      runs: undefined,
      impossible: [
        "Plimsoll does not run inside this agent",
        ...(host.recordsUsage === false ? ["sizes and costs are unknown, because this agent records no usage"] : []),
      ],
      problems: [],
    };
  const { isInstalled, what, problems } = agent.examine({ terminal, program });
  const own = entryPoints.filter(({ door }) => door === name);
  const count = own.reduce((sum, { runs }) => sum + runs, 0);
  const lastAtMs = Math.max(0, ...own.map((one) => one.lastAtMs));
  const runs = name === "codex" && isInstalled ? { count, lastAtMs } : undefined;
  const isSilent = runs?.count === 0 && host.listTranscripts(host.locateTranscripts(terminal.environment)).length > 0;
  const neverRan = {
    what: `the plugin is switched on in ${title}, but no session has run its hooks`,
    fix: `start ${title} in a terminal and accept the hooks when it asks, or open /hooks there`,
  };
  const all = isSilent ? [...problems, neverRan] : problems;
  return { ...found, isInstalled, what, runs, impossible: agent.impossible, problems: all };
}
