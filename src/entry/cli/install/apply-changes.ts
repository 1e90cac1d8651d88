import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { CliError, type Terminal } from "../command.ts";
import { renderSafely } from "../print/style.ts";
import { parseJsonText } from "./json-text.ts";
import type { Change } from "./plan-settings.ts";
import { backUp, readSettingsFile, writeSettingsFile } from "./settings-file.ts";

export interface AppliedChange extends Change {
  readonly backup: string | undefined;
}

/** Carries out the planned changes, each after a copy of the file. */
export function applyChanges(changes: readonly Change[], terminal: Terminal): readonly AppliedChange[] {
  for (const { path, before } of changes)
    if (readSettingsFile(path).text !== before)
      throw new CliError(`another program has just changed ${path}, so Plimsoll changed nothing: run this again`);
  return changes.map((change) => {
    const backup = backUp(change.path, terminal.nowMs());
    writeSettingsFile(change.path, change.after);
    return { ...change, backup };
  });
}

/**
 * The client's own commands rewrite the whole settings file in their own order and indentation. If that is all they changed, we
 * restore the person's text; if they or another session changed more, the new text stays.
 */
export function settleChanges(changes: readonly Change[]): void {
  for (const { path, after } of changes) {
    const current = readIfPossible(path);
    if (current !== after && isDeepStrictEqual(withoutEmpty(current), withoutEmpty(after)))
      writeSettingsFile(path, after);
  }
}

/** The settings were written already, so a file that cannot be read now ends nothing. */
function readIfPossible(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Drops the empty lists of plugins that the client leaves behind when it removes something. */
function withoutEmpty(text: string | undefined): JsonObject {
  try {
    const value = parseJsonText(text ?? "{}");
    if (!isObject(value)) return {};
    const isEmpty = ([key, list]: readonly [string, unknown]): boolean =>
      /^(?:enabledPlugins|extraKnownMarketplaces)$/.test(key) && isDeepStrictEqual(list, {});
    return Object.fromEntries(Object.entries(value).filter((member) => !isEmpty(member)));
  } catch {
    return { unreadable: text ?? "" };
  }
}

export function renderChanges(changes: readonly Change[]): string {
  return changes
    .map(({ path, before, after }) => renderDiff(path, before, after).split("\n").map(keepIndent).join("\n"))
    .join("\n\n");
}

/** Settings may contain anything, so control characters are escaped; indentation stays. */
function keepIndent(line: string): string {
  const [lead = ""] = /^[-+ ]? *\t*/.exec(line) ?? [];
  return lead.replaceAll("\t", "  ") + renderSafely(line.slice(lead.length));
}

export function renderBackups(changes: readonly AppliedChange[]): readonly string[] {
  return changes.flatMap(({ path, backup, before, after }) => {
    if (backup !== undefined) return [`${path} is ${after === undefined ? "removed" : "changed"}; backup: ${backup}`];
    return before === undefined ? [`${path} is new.`] : [];
  });
}

export function describeChanges(
  changes: readonly (Change & { readonly backup?: string | undefined })[],
): readonly { readonly path: string; readonly backup: string | null; readonly diff: string }[] {
  return changes.map(({ path, before, after, backup }) => ({
    path,
    backup: backup ?? null,
    diff: renderDiff(path, before, after),
  }));
}

/** Lines around a change, as in git. */
const CONTEXT = 3;

type Line = readonly [mark: " " | "-" | "+", text: string];

/** The changed lines of a file with some context; an absent text means an absent file. */
export function renderDiff(file: string, before: string | undefined, after: string | undefined): string {
  const lines = diffLines(toLines(before), toLines(after));
  const shown = new Set<number>();
  for (const [index, [mark]] of lines.entries())
    if (mark !== " ") for (let near = index - CONTEXT; near <= index + CONTEXT; near++) shown.add(near);
  const body = lines.flatMap(([mark, text], index) => {
    if (!shown.has(index)) return [];
    return [...(index > 0 && !shown.has(index - 1) ? ["  ..."] : []), `${mark} ${text}`.trimEnd()];
  });
  return [
    `--- ${before === undefined ? "(no file)" : file}`,
    `+++ ${after === undefined ? "(no file)" : file}`,
    ...body,
  ].join("\n");
}

function toLines(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** Uses the longest common subsequence between the common beginning and the common end. */
function diffLines(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const isSameEnd = () => before[before.length - 1 - end] === after[after.length - 1 - end];
  while (end < Math.min(before.length, after.length) - start && isSameEnd()) end++;
  const keep = (text: string): Line => [" ", text];
  return [
    ...before.slice(0, start).map(keep),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(keep),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const old = before[row];
    const fresh = after[column];
    if (old !== undefined && old === fresh) {
      lines.push([" ", old]);
      row++;
      column++;
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(["-", old]);
      row++;
    } else {
      lines.push(["+", fresh ?? ""]);
      column++;
    }
  }
  return lines;
}
