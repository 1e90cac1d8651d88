import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject, listField, objectField, textField } from "../../../core/json-fields.ts";
import { CliError } from "../command.ts";
import { knowsEvent } from "./client-version.ts";
import type { JsonEdit } from "./json-text.ts";
import { PLUGIN_FOLDERS } from "./plugin-names.ts";

/** A shell takes it for a comment; whoever cleans up finds exactly what we wrote. */
const MARK = "# plimsoll";

/** The client puts the plugin's folder in its place; in settings there is no plugin. */
const ROOT = /\$\{CLAUDE_PLUGIN_ROOT\}/g;

/** Whether a hook or a status line in someone's settings is ours. */
export function isOurs(value: unknown): boolean {
  return isObject(value) && textField(value, "command").endsWith(MARK);
}

/** For a client that does not run our plugins: their hooks as its settings would have them. */
export function planSettingsHooks(root: string, version: string): readonly JsonEdit[] {
  const folder = path.join(root, PLUGIN_FOLDERS.classic);
  const hooks = objectField(readHooks(folder), "hooks") ?? {};
  return Object.entries(hooks)
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

function readHooks(folder: string): JsonObject {
  const file = path.join(folder, "hooks", "hooks.json");
  const value: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  if (!isObject(value)) throw new CliError(`this copy of plimsoll is not whole, ${file} is missing: install it again`);
  return value;
}

/** Clients of that age know commands of a shell only, without arguments of their own. */
function placeHook(hook: Json, folder: string): Json {
  if (!isObject(hook)) return hook;
  const { args, ...rest } = hook;
  const words = [textField(hook, "command"), ...listField(hook, "args").map((word) => quote(String(word)))];
  return { ...rest, command: `${words.join(" ").replaceAll(ROOT, () => folder)} ${MARK}` };
}

function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** Every hook of ours, from the last to the first, so that no removal moves another's index. */
export function planHooksRemoval(settings: JsonObject): readonly JsonEdit[] {
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

/** One line at the foot of the client, from a program that does nothing else. */
export function renderStatusLineSetting(root: string): Json {
  const program = path.join(root, PLUGIN_FOLDERS.classic, "dist", "statusline.cjs");
  return { type: "command", command: `node ${quote(program)} ${MARK}` };
}
