import { existsSync } from "node:fs";
import { findHost, HOSTS } from "../../../../hosts/catalogue.ts";
import { CliError, type Invocation, type Terminal } from "../../command.ts";
import { findProgram } from "../find-client.ts";
import type { Agent, AgentPlace } from "./agent.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

export const AGENTS: readonly Agent[] = [codex, pi, opencode];

export const AGENT_NAMES: readonly string[] = AGENTS.map(({ name }) => name);

export async function findAgent(
  { values }: Invocation,
  terminal: Terminal,
  name: string | undefined = values.get("agent"),
): Promise<(AgentPlace & { readonly agent: Agent }) | undefined> {
  const agent = AGENTS.find((one) => one.name === name);
  if (name === undefined || agent === undefined) return undefined;
  const host = findHost(name);
  if (host === undefined) throw new CliError(`there is no agent ${name}`);
  return { agent, terminal, program: await findProgram(host.program, values.get("program"), terminal) };
}

/** The other agent that a person uses who does not use Claude Code; `undefined` if they use that, or nothing that we know. */
export async function findOnlyAgent(terminal: Terminal): Promise<string | undefined> {
  const { environment } = terminal;
  const [first] = HOSTS;
  if (existsSync(first.locateHome(environment)) || (await findProgram(first.program, undefined, terminal)))
    return undefined;
  const used = AGENT_NAMES.filter((name) => existsSync(findHost(name)?.locateHome(environment) ?? ""));
  const read = HOSTS.find((host) => host.isOnlyRead && existsSync(host.locateHome(environment)));
  if (used.length === 0 && read)
    throw new CliError(
      `Claude Code was not found here, and Plimsoll cannot run inside ${read.title}: it only reads what that records (plimsoll stats). To install it for Claude Code all the same, pass --module`,
    );
  if (used.length < 2) return used[0];
  const commands = used.map((name) => `plimsoll install --agent ${name}`).join(", or ");
  throw new CliError(`Claude Code was not found here, but ${used.join(" and ")} were. Run: ${commands}`);
}
