import { findHost } from "../../../../hosts/catalogue.ts";
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
): Promise<(AgentPlace & { readonly agent: Agent }) | undefined> {
  const name = values.get("agent");
  const agent = AGENTS.find((one) => one.name === name);
  if (name === undefined || agent === undefined) return undefined;
  const host = findHost(name);
  if (host === undefined) throw new CliError(`there is no agent ${name}`);
  return { agent, terminal, program: await findProgram(host.program, values.get("program"), terminal) };
}
