import type { Terminal } from "../command.ts";
import type { Registry } from "./client-registry.ts";
import { type Client, runProgram } from "./find-client.ts";
import { MARKETPLACE, PLUGIN_IDS, type PluginName, type PluginScope } from "./plugin-names.ts";

/** The client's own commands take about a second each. */
const TIMEOUT_MS = 60_000;

export interface Registration {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly scope: PluginScope;
  readonly registry: Registry;
}

/**
 * Lets the client itself enter the plugins in its books. Settings alone do as well, but then from the next session on
 * (2.1.325) or from the one after it (2.1.197), and `claude plugin list` says nothing until then.
 * Returns what went wrong, in the client's words.
 */
export async function registerPlugins(
  root: string,
  plugins: readonly PluginName[],
  registration: Registration,
): Promise<string | undefined> {
  for (const name of registration.registry.plugins) if (!plugins.includes(name)) await uninstall(name, registration);
  const added = await run(["marketplace", "add", root], registration);
  if (added !== undefined) return added;
  for (const name of plugins) {
    const failure = await run(["install", PLUGIN_IDS[name], "--scope", registration.scope], registration);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

export async function unregisterPlugins(
  registration: Registration,
  hasMarketplace: boolean,
): Promise<string | undefined> {
  let failure: string | undefined;
  for (const name of registration.registry.plugins) failure = (await uninstall(name, registration)) ?? failure;
  if (!hasMarketplace || registration.registry.root === undefined) return failure;
  return (await run(["marketplace", "remove", MARKETPLACE], registration)) ?? failure;
}

/** Its data stay: a plugin's own folder is the person's, like ours. */
function uninstall(name: PluginName, registration: Registration): Promise<string | undefined> {
  return run(["uninstall", PLUGIN_IDS[name], "--scope", registration.scope, "--keep-data"], registration);
}

async function run(words: readonly string[], { client, terminal }: Registration): Promise<string | undefined> {
  const { isDone, output } = await runProgram(client.path, ["plugin", ...words], { terminal, timeoutMs: TIMEOUT_MS });
  return isDone ? undefined : `claude plugin ${words.join(" ")}: ${output}`;
}
