/** What the client calls us. */
export const MARKETPLACE = "plimsoll";

export type PluginName = "module" | "classic";

export const PLUGIN_IDS: Readonly<Record<PluginName, string>> = {
  module: `plimsoll@${MARKETPLACE}`,
  classic: `plimsoll-classic@${MARKETPLACE}`,
};

export const PLUGIN_FOLDERS: Readonly<Record<PluginName, string>> = { module: "plugin", classic: "plugin-classic" };

export const PLUGIN_NAMES: readonly PluginName[] = ["module", "classic"];

export type PluginScope = "user" | "project";
