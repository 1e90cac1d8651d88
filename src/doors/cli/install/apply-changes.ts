import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json-fields.ts";
import { CliError, type Terminal } from "../command.ts";
import { isEqual, parseSettings } from "./json-text.ts";
import type { Change } from "./plan-settings.ts";
import { backUp, readSettingsFile, writeSettingsFile } from "./settings-file.ts";

export interface AppliedChange extends Change {
  readonly backup: string | undefined;
}

/** Carries the planned changes out, each after a copy of the file as it was. */
export function applyChanges(changes: readonly Change[], terminal: Terminal): readonly AppliedChange[] {
  for (const { path, before } of changes)
    if (readSettingsFile(path).text !== before)
      throw new CliError(`${path} was changed by someone else just now: nothing was changed here, run it again`);
  return changes.map((change) => {
    const backup = backUp(change.path, terminal.nowMs());
    writeSettingsFile(change.path, change.after);
    return { ...change, backup };
  });
}

/**
 * The client's own commands write the whole settings anew, in their own order and indentation. Where that is all they
 * changed, the person's text goes back; where they or another session changed more, theirs stands.
 */
export function settleChanges(changes: readonly Change[]): void {
  for (const { path, after } of changes) {
    const current = readText(path);
    if (current !== after && isEqual(withoutEmpty(current), withoutEmpty(after))) writeSettingsFile(path, after);
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** What the client leaves behind when it takes something out: empty lists of plugins. */
function withoutEmpty(text: string | undefined): JsonObject {
  try {
    const value = parseSettings(text ?? "{}");
    if (!isObject(value)) return {};
    const isEmpty = (key: string) => isEqual(value[key], {}) && /^(?:enabledPlugins|extraKnownMarketplaces)$/.test(key);
    return Object.fromEntries(Object.entries(value).filter(([key]) => !isEmpty(key)));
  } catch {
    return { unreadable: text ?? "" };
  }
}
