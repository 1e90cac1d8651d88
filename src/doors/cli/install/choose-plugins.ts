import { isVersionAtLeast } from "../../../hosts/claude-code/client-version.ts";
import { CliError } from "../command.ts";
import { hasModules, runsPlugins } from "./client-version.ts";
import type { PluginName } from "./plugin-names.ts";

export interface PluginChoice {
  readonly plugins: readonly PluginName[];
  /** Set where the client does not run our plugins, so that the hooks go into its settings. */
  readonly oldVersion: string | undefined;
  readonly why: string;
}

const FIRST_WITH_HOOKS = "1.0.38";

/** The one plugin that a client of this version is served best by; a person's own word goes first where it can work. */
export function choosePlugins(version: string | undefined, wanted: PluginName | undefined): PluginChoice {
  const choose = (plugins: readonly PluginName[], why: string): PluginChoice => ({
    plugins,
    oldVersion: undefined,
    why,
  });
  if (version === undefined) {
    if (wanted !== undefined) return choose([wanted], "as you asked");
    const why = "no client was found, so both are switched on: where the module loads, the hooks stand aside";
    return choose(["module", "classic"], why);
  }
  if (!isVersionAtLeast(version, FIRST_WITH_HOOKS))
    throw new CliError(`Claude Code ${version} has no hooks: update it (claude update), then run this again`);
  if (wanted === "module" && !hasModules(version))
    throw new CliError(
      `Claude Code ${version} loads no hooks modules: update it (claude update), or leave out --module for command hooks`,
    );
  if (!runsPlugins(version))
    return {
      plugins: ["classic"],
      oldVersion: version,
      why: `Claude Code ${version} does not run plugins like ours: its settings hold the hooks`,
    };
  if (wanted !== undefined) return choose([wanted], "as you asked");
  return hasModules(version)
    ? choose(["module"], `Claude Code ${version} loads hooks modules`)
    : choose(["classic"], `Claude Code ${version} loads no hooks modules, so command hooks do the work`);
}
