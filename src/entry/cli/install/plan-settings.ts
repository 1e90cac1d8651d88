import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, listField, objectField, textField } from "../../../core/json.ts";
import { readObject } from "../../../files/read-regular-file.ts";
import { isOurs, MARK } from "../../../hosts/claude-code/disk/installed.ts";
import { CliError } from "../command.ts";
import { knowsEvent } from "./find-client.ts";
import { MARKETPLACE, PLUGIN_FOLDERS, PLUGIN_IDS, PLUGIN_NAMES, type PluginName } from "./find-package.ts";
import { applyJsonEdits, type JsonEdit, parseJsonText } from "./json-text.ts";
import type { SettingsFile } from "./settings-file.ts";

/** A file before and after; no text means no file. */
export interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Our values in it afterwards that carry no mark; unchanged if absent. */
  readonly own?: readonly OwnText[];
}

/** A value that we put into someone's settings, usually a text: the path to it, or to the list that holds it. */
export interface OwnText {
  readonly path: readonly string[];
  readonly text: Json;
  readonly isListed: boolean;
}

/** The edits after which exactly the wanted texts are ours, except those whose place the person has set to something else: theirs stay. */
export function planOwnTexts(
  settings: JsonObject,
  wanted: readonly OwnText[],
  known: readonly OwnText[],
): { readonly edits: readonly JsonEdit[]; readonly own: readonly OwnText[]; readonly theirs: readonly OwnText[] } {
  const standing = known.filter((one) => locateText(settings, one));
  const has = (list: readonly OwnText[], one: OwnText): boolean => list.some((other) => isDeepStrictEqual(other, one));
  const leaving = standing.filter((one) => !has(wanted, one));
  const isFree = (one: OwnText): boolean => {
    const found = find(settings, one.path);
    if (one.isListed)
      return found === undefined || (Array.isArray(found) && !found.some((it) => isDeepStrictEqual(it, one.text)));
    return found === undefined || leaving.some(({ path }) => isDeepStrictEqual(path, one.path));
  };
  const added = wanted.filter((one) => !has(standing, one) && isFree(one));
  const own = wanted.filter((one) => has(standing, one) || has(added, one));
  const additions = added.map(({ path, text, isListed }): JsonEdit => {
    return { kind: isListed ? "append" : "set", path, value: text };
  });
  return {
    edits: [...planOwnRemoval(settings, leaving), ...additions],
    own,
    theirs: wanted.filter((one) => !has(own, one)),
  };
}

/** Removes the last first, because later elements of a list move up. */
function planOwnRemoval(settings: JsonObject, own: readonly OwnText[]): readonly JsonEdit[] {
  return own
    .map((one) => locateText(settings, one) ?? [])
    .sort((left, right) => Number(right.at(-1)) - Number(left.at(-1)) || 0)
    .map((path) => ({ kind: "remove", path }));
}

/** The place of the text that we put there; `undefined` if it is gone or changed. */
function locateText(settings: JsonObject, { path, text, isListed }: OwnText): (string | number)[] | undefined {
  const found = find(settings, path);
  if (!isListed) return found === text ? [...path] : undefined;
  const at = Array.isArray(found) ? found.findIndex((one) => isDeepStrictEqual(one, text)) : -1;
  return at < 0 ? undefined : [...path, at];
}

export interface Target {
  readonly root: string;
  readonly plugins: readonly PluginName[];
  /** The version of a client that does not run our plugins; the hooks then go into the settings themselves. */
  readonly oldVersion: string | undefined;
  readonly hasStatusLine: boolean;
  /** The wanted lifetime of the prompt cache, and which of its settings are already ours. */
  readonly life?: { readonly wanted: readonly OwnText[]; readonly known: readonly OwnText[] } | undefined;
}

const NEW_FILE = "{}\n";

/** Writes only what the client itself would write: where the plugins are, and which of them is on. */
export function planInstall(file: SettingsFile, target: Target): Change {
  const { settings } = file;
  const edits: JsonEdit[] = [];
  const source = { source: "directory", path: target.root };
  if (target.oldVersion === undefined)
    edits.push({ kind: "set", path: ["extraKnownMarketplaces", MARKETPLACE, "source"], value: source });
  edits.push(...planPlugins(settings, target), ...planDirect(settings, target));
  if (!target.life) return toChange(file, edits);
  const { edits: own, ...texts } = planOwnTexts(settings, target.life.wanted, target.life.known);
  return { ...toChange(file, [...edits, ...own]), own: texts.own };
}

/** Switches off the wanted things in addition to those switched off before. */
export function planTexts(file: SettingsFile, wanted: readonly OwnText[], known: readonly OwnText[]): Change {
  const { edits, own } = planOwnTexts(file.settings, [...known, ...wanted], known);
  return { ...toChange(file, edits), own };
}

function planPlugins(settings: JsonObject, { plugins, oldVersion }: Target): readonly JsonEdit[] {
  const enabled = objectField(settings, "enabledPlugins") ?? {};
  return PLUGIN_NAMES.flatMap((name): readonly JsonEdit[] => {
    const path = ["enabledPlugins", PLUGIN_IDS[name]];
    if (oldVersion === undefined && plugins.includes(name)) return [{ kind: "set", path, value: true }];
    return enabled[PLUGIN_IDS[name]] === undefined ? [] : [{ kind: "remove", path }];
  });
}

/** Hooks in the settings and the status line. Entries that are already right stay where they are. */
function planDirect(settings: JsonObject, target: Target): readonly JsonEdit[] {
  const { oldVersion, root } = target;
  const removal = planHooksRemoval(settings);
  const wanted = oldVersion === undefined ? [] : planSettingsHooks(root, oldVersion);
  const isRight = isDeepStrictEqual(listOurHooks(settings), wanted);
  // Our status line is updated if the package has moved; the person's own stays.
  const needsLine = isOurs(settings.statusLine) || (target.hasStatusLine && settings.statusLine === undefined);
  return [
    ...(isRight ? [] : [...removal, ...wanted]),
    ...(needsLine ? [{ kind: "set", path: ["statusLine"], value: renderStatusLineSetting(root) } as const] : []),
  ];
}

/** Our hooks as the edits that would have added them. */
function listOurHooks(settings: JsonObject): readonly JsonEdit[] {
  return Object.entries(objectField(settings, "hooks") ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [])
      .filter((group) => isObject(group) && Array.isArray(group.hooks) && group.hooks.some(isOurs))
      .map((value): JsonEdit => ({ kind: "append", path: ["hooks", event], value })),
  );
}

interface Removal {
  readonly isMadeFile: boolean;
  readonly own: readonly OwnText[];
  /** Remove only these texts, not what switches Plimsoll on. */
  readonly isOwnOnly: boolean;
}

/** Removes exactly what is ours, no matter who wrote it, and what holds nothing afterwards; other entries next to it stay. */
export function planRemoval(file: SettingsFile, { isMadeFile, own, isOwnOnly }: Removal): Change {
  const { settings } = file;
  const plugins = [
    ...Object.values(PLUGIN_IDS).map((id): JsonEdit => ({ kind: "remove", path: ["enabledPlugins", id] })),
    { kind: "remove", path: ["extraKnownMarketplaces", MARKETPLACE] } as const,
    ...planHooksRemoval(settings),
    ...(isOurs(settings.statusLine) ? [{ kind: "remove", path: ["statusLine"] } as const] : []),
  ];
  const edits = [...(isOwnOnly ? [] : plugins), ...planOwnTexts(settings, [], own).edits];
  const change = toChange(file, edits);
  // The client may have removed our entries itself, and left what held them.
  const isBare = Object.values(toObject(change.after ?? "")).every(isEmpty);
  return isMadeFile && isBare ? { ...change, after: undefined } : change;
}

function removeEmpty(text: string, path: JsonEdit["path"]): string {
  return isEmpty(find(toObject(text), path)) ? applyJsonEdits(text, [{ kind: "remove", path }]) : text;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function find(object: JsonObject, path: JsonEdit["path"]): unknown {
  let value: unknown = object;
  for (const key of path) value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  return value;
}

/** What held a removed entry goes with it if it is empty then; what was empty before stays. */
function toChange(file: SettingsFile, edits: readonly JsonEdit[]): Change {
  const holders = edits
    .filter(({ kind, path }) => kind === "remove" && find(file.settings, path) !== undefined)
    .flatMap(({ path }) => path.slice(0, -1).map((_, index) => path.slice(0, index + 1)))
    .sort((left, right) => right.length - left.length);
  const after = holders.reduce(removeEmpty, applyJsonEdits(file.text ?? NEW_FILE, edits));
  return {
    path: file.path,
    before: file.text,
    after: file.text === undefined && after === NEW_FILE ? undefined : after,
  };
}

function toObject(text: string): JsonObject {
  const value = parseJsonText(text);
  return isObject(value) ? value : {};
}

/** The client replaces it with the plugin's folder; in settings there is no plugin. */
const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g;

/** The plugins' hooks in the form of settings, for a client that does not run our plugins. */
function planSettingsHooks(root: string, version: string): readonly JsonEdit[] {
  const folder = path.join(root, PLUGIN_FOLDERS.classic);
  const file = path.join(folder, "hooks", "hooks.json");
  const declared = readObject(file);
  if (!declared)
    throw new CliError(`this copy of plimsoll is incomplete, because ${file} is missing: reinstall plimsoll`);
  return Object.entries(objectField(declared, "hooks") ?? {})
    .filter(([event]) => knowsEvent(version, event))
    .flatMap(([event, groups]) =>
      (Array.isArray(groups) ? groups : []).filter(isObject).map(
        (group): JsonEdit => ({
          kind: "append",
          path: ["hooks", event],
          value: { ...group, hooks: listField(group, "hooks").map((hook) => placeHook(hook, folder)) },
        }),
      ),
    );
}

/** Clients of that age know only shell commands, without separate arguments. */
function placeHook(hook: Json, folder: string): Json {
  if (!isObject(hook)) return hook;
  const { args, ...rest } = hook;
  const words = [textField(hook, "command"), ...listField(hook, "args").map((word) => quote(String(word)))];
  return { ...rest, command: `${words.join(" ").replaceAll(ROOT, () => folder)} ${MARK}` };
}

function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** Removes our hooks from the last to the first, so that no removal moves another's index. */
function planHooksRemoval(settings: JsonObject): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  for (const [event, groups] of Object.entries(objectField(settings, "hooks") ?? {})) {
    if (!Array.isArray(groups)) continue;
    for (const [index, group] of [...groups.entries()].reverse()) {
      const hooks = isObject(group) ? listField(group, "hooks") : [];
      const places = [...hooks.entries()].filter(([, hook]) => isOurs(hook)).map(([place]) => place);
      if (places.length > 0 && places.length === hooks.length)
        edits.push({ kind: "remove", path: ["hooks", event, index] });
      else
        for (const place of places.reverse())
          edits.push({ kind: "remove", path: ["hooks", event, index, "hooks", place] });
    }
  }
  return edits;
}

/** The status line runs a program that does nothing else. */
function renderStatusLineSetting(root: string): Json {
  const program = path.join(root, PLUGIN_FOLDERS.classic, "dist", "statusline.cjs");
  return { type: "command", command: `node ${quote(program)} ${MARK}` };
}
