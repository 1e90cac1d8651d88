import type { JsonObject } from "../../../core/json.ts";
import { isObject, objectField } from "../../../core/json-fields.ts";
import { applyJsonEdits, isEqual, type JsonEdit, parseSettings } from "./json-text.ts";
import { MARKETPLACE, PLUGIN_IDS, PLUGIN_NAMES, type PluginName } from "./plugin-names.ts";
import type { SettingsFile } from "./settings-file.ts";
import { isOurs, planHooksRemoval, planSettingsHooks, renderStatusLineSetting } from "./settings-hooks.ts";

/** A file before and after; without a text there is no file. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface Target {
  /** The folder of the marketplace. */
  readonly root: string;
  readonly plugins: readonly PluginName[];
  /** Of a client that does not run our plugins: then the hooks stand in the settings themselves. */
  readonly oldVersion: string | undefined;
  readonly hasStatusLine: boolean;
}

const NEW_FILE = "{}\n";

/** Only what the client itself would write: where the plugins lie, and which of them is on. */
export function planInstall(file: SettingsFile, target: Target, part: "all" | "marketplace" | "plugins"): Change {
  const { settings } = file;
  const edits: JsonEdit[] = [];
  if (part !== "plugins" && target.oldVersion === undefined) edits.push(declareMarketplace(target.root));
  if (part !== "marketplace") edits.push(...planPlugins(settings, target));
  if (part === "all") edits.push(...planDirect(settings, target));
  return toChange(file, edits);
}

function declareMarketplace(root: string): JsonEdit {
  const source = { source: "directory", path: root };
  return { kind: "set", path: ["extraKnownMarketplaces", MARKETPLACE, "source"], value: source };
}

function planPlugins(settings: JsonObject, { plugins, oldVersion }: Target): readonly JsonEdit[] {
  const enabled = objectField(settings, "enabledPlugins") ?? {};
  return PLUGIN_NAMES.flatMap((name): readonly JsonEdit[] => {
    const path = ["enabledPlugins", PLUGIN_IDS[name]];
    if (oldVersion === undefined && plugins.includes(name)) return [{ kind: "set", path, value: true }];
    return enabled[PLUGIN_IDS[name]] === undefined ? [] : [{ kind: "remove", path }];
  });
}

/** Hooks in the settings and the status line. What of it is right already stays where it is. */
function planDirect(settings: JsonObject, target: Target): readonly JsonEdit[] {
  const { oldVersion, root } = target;
  const removal = planHooksRemoval(settings);
  const wanted = oldVersion === undefined ? [] : planSettingsHooks(root, oldVersion);
  const isRight = isEqual(listOurHooks(settings), wanted);
  // A line of ours follows the package wherever it has moved; one of the person's own stays.
  const needsLine = isOurs(settings.statusLine) || (target.hasStatusLine && settings.statusLine === undefined);
  return [
    ...(isRight ? [] : [...removal, ...wanted]),
    ...(needsLine ? [{ kind: "set", path: ["statusLine"], value: renderStatusLineSetting(root) } as const] : []),
  ];
}

/** Our hooks as the edits that would have made them. */
function listOurHooks(settings: JsonObject): readonly JsonEdit[] {
  return Object.entries(objectField(settings, "hooks") ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .filter((group) => isObject(group) && Array.isArray(group.hooks) && group.hooks.some(isOurs))
      .map((value): JsonEdit => ({ kind: "append", path: ["hooks", event], value })),
  );
}

export interface Removal {
  /** Whether nothing else needs the marketplace any more. */
  readonly hasMarketplace: boolean;
  /** Objects and lists that installing made: they go too once they are empty. */
  readonly made: readonly (readonly string[])[];
  readonly isMadeFile: boolean;
}

/** Exactly what is ours, whoever wrote it there; what others have put beside it stays. */
export function planRemoval(file: SettingsFile, { hasMarketplace, made, isMadeFile }: Removal): Change {
  const { settings } = file;
  const change = toChange(file, [
    ...Object.values(PLUGIN_IDS).map((id): JsonEdit => ({ kind: "remove", path: ["enabledPlugins", id] })),
    ...(hasMarketplace ? [{ kind: "remove", path: ["extraKnownMarketplaces", MARKETPLACE] } as const] : []),
    ...planHooksRemoval(settings),
    ...(isOurs(settings.statusLine) ? [{ kind: "remove", path: ["statusLine"] } as const] : []),
  ]);
  const after = [...made]
    .sort((left, right) => right.length - left.length)
    .reduce((text, path) => (text === undefined ? text : removeEmpty(text, path)), change.after);
  const isBare = after !== undefined && Object.keys(toObject(after)).length === 0;
  return { ...change, after: isMadeFile && isBare ? undefined : after };
}

function removeEmpty(text: string, path: readonly string[]): string {
  const found = find(toObject(text), path);
  const isEmpty = typeof found === "object" && found !== null && Object.keys(found).length === 0;
  return isEmpty ? applyJsonEdits(text, [{ kind: "remove", path }]) : text;
}

/** Containers that the change brings into being. */
export function listMade({ before, after }: Change): readonly (readonly string[])[] {
  const [old, fresh] = [toObject(before ?? "{}"), toObject(after ?? "{}")];
  const tops = ["extraKnownMarketplaces", "enabledPlugins", "hooks"];
  const paths = [
    ...tops.map((key) => [key]),
    ...Object.keys(objectField(fresh, "hooks") ?? {}).map((key) => ["hooks", key]),
  ];
  return paths.filter((path) => find(old, path) === undefined && find(fresh, path) !== undefined);
}

function find(object: JsonObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

function toChange(file: SettingsFile, edits: readonly JsonEdit[]): Change {
  const after = applyJsonEdits(file.text ?? NEW_FILE, edits);
  return {
    path: file.path,
    before: file.text,
    after: file.text === undefined && after === NEW_FILE ? undefined : after,
  };
}

function toObject(text: string): JsonObject {
  const value = parseSettings(text);
  return isObject(value) ? value : {};
}
