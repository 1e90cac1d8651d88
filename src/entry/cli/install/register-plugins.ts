import path from "node:path";
import { isObject, type JsonObject, listField, objectField, textField } from "../../../core/json.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import type { Terminal } from "../command.ts";
import { type Client, runProgram } from "./find-client.ts";
import { MARKETPLACE, PLUGIN_IDS, PLUGIN_NAMES, type PluginName } from "./find-package.ts";

/** The client's own commands take about a second each. */
const TIMEOUT_MS = 60_000;

interface Registration {
  readonly client: Client;
  readonly terminal: Terminal;
  readonly registry: Registry;
}

/**
 * Lets the client register the plugins itself. Settings alone also work, but only from the next session (2.1.325) or the one
 * after it (2.1.197), and `claude plugin list` shows nothing until then. Returns what went wrong, in the client's words.
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
    const failure = await run(["install", PLUGIN_IDS[name], "--scope", "user"], registration);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

export async function unregisterPlugins(registration: Registration, keepsData: boolean): Promise<string | undefined> {
  let failure: string | undefined;
  for (const name of registration.registry.plugins)
    failure = (await uninstall(name, registration, keepsData)) ?? failure;
  if (registration.registry.root === undefined) return failure;
  return (await run(["marketplace", "remove", MARKETPLACE], registration)) ?? failure;
}

function uninstall(name: PluginName, registration: Registration, keepsData = true): Promise<string | undefined> {
  const words = ["uninstall", PLUGIN_IDS[name], "--scope", "user"];
  return run([...words, ...(keepsData ? ["--keep-data"] : [])], registration);
}

async function run(words: readonly string[], { client, terminal }: Registration): Promise<string | undefined> {
  const { isDone, output } = await runProgram(client.path, ["plugin", ...words], { terminal, timeoutMs: TIMEOUT_MS });
  return isDone ? undefined : `claude plugin ${words.join(" ")}: ${output}`;
}

/** What the client has registered about us. Read only: the client maintains it through its own commands. */
export interface Registry {
  /** The folder of our marketplace; `undefined` if the client does not know it. */
  readonly root: string | undefined;
  readonly plugins: readonly PluginName[];
  /** Folders of projects into which the person installed a plugin of ours with the client's own command. */
  readonly projects: readonly string[];
}

export function readRegistry(configFolder: string): Registry {
  const folder = path.join(configFolder, "plugins");
  // Unreadable files count as empty.
  const known = objectField(readObject(path.join(folder, "known_marketplaces.json")) ?? {}, MARKETPLACE);
  const installed = objectField(readObject(path.join(folder, "installed_plugins.json")) ?? {}, "plugins") ?? {};
  const isUsers = (entry: JsonObject): boolean => textField(entry, "scope") === "user";
  const entriesOf = (name: PluginName): readonly JsonObject[] =>
    listField(installed, PLUGIN_IDS[name]).filter(isObject);
  const others = PLUGIN_NAMES.flatMap(entriesOf).filter((entry) => !isUsers(entry));
  return {
    root: known && textField(known, "installLocation"),
    plugins: PLUGIN_NAMES.filter((name) => entriesOf(name).some(isUsers)),
    projects: [...new Set(others.map((entry) => textField(entry, "projectPath")))].filter((folder) => folder !== ""),
  };
}
