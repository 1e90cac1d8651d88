import path from "node:path";
import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { isOurs } from "../../../hosts/claude-code/disk/installed.ts";
import { locateData } from "../../../policy/actions/data-paths.ts";
import { CliError, type Invocation, type Terminal } from "../command.ts";
import { planLife } from "./cache-life.ts";
import {
  type Client,
  FIRST_WITH_HOOKS,
  FIRST_WITH_OUR_PLUGINS,
  FIRST_WITH_STATUS_LINE,
  findProgram,
  hasModules,
} from "./find-client.ts";
import { findPackage, isPassing, type PluginName } from "./find-package.ts";
import { type Change, planInstall, type Target } from "./plan-settings.ts";
import { type Registry, readRegistry } from "./register-plugins.ts";
import { locateSettings, type Places, readSettingsFile, type SettingsFile } from "./settings-file.ts";

export interface Installation extends Target {
  readonly places: Places;
  readonly client: Client | undefined;
  readonly why: string;
  /** The package to copy, if its folder may vanish and the client is given a copy. */
  readonly copyFrom: string | undefined;
  readonly changes: readonly Change[];
  /** Whether the client has to be asked to register it. */
  readonly needsRegistering: boolean;
  readonly registry: Registry;
  readonly notes: readonly string[];
}

export async function planInstallation(invocation: Invocation, terminal: Terminal): Promise<Installation> {
  const { flags, values } = invocation;
  const wantsLine = flags.has("status-line");
  const places = locateSettings(terminal);
  const user = readSettingsFile(places.user);
  const client = await findProgram("claude", values.get("program"), terminal);
  const choice = choosePlugins(client?.version, readWanted(flags));
  const own = findPackage();
  const root = isPassing(own) ? path.join(locateData(places.configFolder), "package") : own;
  const canShowLine =
    choice.plugins.includes("classic") &&
    (client?.version === undefined || isVersionAtLeast(client.version, FIRST_WITH_STATUS_LINE));
  const { life, notes } = await planLife(user, invocation, terminal);
  const target: Target = { ...choice, root, hasStatusLine: wantsLine && canShowLine, life };
  const change = planInstall(user, target);
  const registry = readRegistry(places.configFolder);
  const isRegistered = registry.root === root && choice.plugins.every((name) => registry.plugins.includes(name));
  return {
    ...target,
    places,
    client,
    why: choice.why,
    copyFrom: root === own ? undefined : own,
    changes: change.before === change.after ? [] : [change],
    registry,
    needsRegistering: client !== undefined && choice.oldVersion === undefined && !isRegistered,
    notes: [
      ...noteLine(user, wantsLine, canShowLine),
      ...notes,
      ...(change.before !== change.after && choice.plugins.includes("module") ? [BASE_NOTE] : []),
    ],
  };
}

const BASE_NOTE =
  'Tools that your recent sessions never called will wait behind the tool search, where the model finds them. To switch this off, write {"base": "keep"} to plimsoll.json in the same folder as these settings.';

function readWanted(flags: ReadonlySet<string>): PluginName | undefined {
  if (flags.has("classic") && flags.has("module"))
    throw new CliError("pass --classic or --module, not both; without them, the agent's version decides");
  if (flags.has("module")) return "module";
  return flags.has("classic") ? "classic" : undefined;
}

function noteLine({ settings }: SettingsFile, wantsLine: boolean, canShowLine: boolean): readonly string[] {
  const { statusLine } = settings;
  if (isOurs(statusLine)) return [];
  if (wantsLine && !canShowLine) return ["The module shows the load by itself: no status line is needed."];
  if (wantsLine && statusLine !== undefined) return ["Your own status line stays as it is."];
  const isOffered = canShowLine && !wantsLine && statusLine === undefined;
  return isOffered ? ["To show in the status line how full the window is, run: plimsoll install --status-line"] : [];
}

interface PluginChoice {
  readonly plugins: readonly PluginName[];
  /** Set if the client does not run our plugins, so that the hooks go into its settings. */
  readonly oldVersion: string | undefined;
  readonly why: string;
}

/** The best plugin for a client of this version. The person's choice wins if it can work. */
function choosePlugins(version: string | undefined, wanted: PluginName | undefined): PluginChoice {
  const choose = (why: string, ...plugins: readonly PluginName[]): PluginChoice => {
    return { plugins, oldVersion: undefined, why };
  };
  if (version === undefined) {
    if (wanted !== undefined) return choose("as you asked", wanted);
    const why = "no agent was found, so both plugins are switched on, but only one of them is ever active";
    return choose(why, "module", "classic");
  }
  if (!isVersionAtLeast(version, FIRST_WITH_HOOKS))
    throw new CliError(`Claude Code ${version} has no hooks: update it (claude update), then run this again`);
  if (wanted === "module" && !hasModules(version))
    throw new CliError(
      `Claude Code ${version} loads no hooks modules: update it (claude update), or install without --module, which adds command hooks instead`,
    );
  if (!isVersionAtLeast(version, FIRST_WITH_OUR_PLUGINS))
    return {
      plugins: ["classic"],
      oldVersion: version,
      why: `Claude Code ${version} cannot run Plimsoll's plugins, so Plimsoll adds its hooks to the settings`,
    };
  if (wanted !== undefined) return choose("as you asked", wanted);
  return hasModules(version)
    ? choose(`Claude Code ${version} loads hooks modules`, "module")
    : choose(`Claude Code ${version} loads no hooks modules, so Plimsoll uses command hooks`, "classic");
}
