import { renderSafely } from "../style.ts";
import type { AppliedChange } from "./apply-changes.ts";
import type { Change } from "./plan-settings.ts";
import { renderDiff } from "./render-diff.ts";

/** Every file with every line that changes. */
export function renderChanges(changes: readonly Change[]): string {
  return changes
    .map(({ path, before, after }) => renderDiff(path, before, after).split("\n").map(keepIndent).join("\n"))
    .join("\n\n");
}

/** Settings may hold anything: nothing in them steers the terminal, and their indentation stays. */
function keepIndent(line: string): string {
  const [lead = ""] = /^[-+ ]? *\t*/.exec(line) ?? [];
  return lead.replaceAll("\t", "  ") + renderSafely(line.slice(lead.length));
}

export function renderBackups(changes: readonly AppliedChange[]): readonly string[] {
  return changes.flatMap(({ path, backup, before, after }) => {
    if (backup !== undefined)
      return [`${path} is ${after === undefined ? "removed" : "changed"}; as it was: ${backup}`];
    return before === undefined ? [`${path} is new.`] : [];
  });
}

interface ChangeView {
  readonly path: string;
  readonly backup: string | null;
  readonly diff: string;
}

/** The changes as data for scripts. */
export function describeChanges(
  changes: readonly (Change & { readonly backup?: string | undefined })[],
): readonly ChangeView[] {
  return changes.map(({ path, before, after, backup }) => ({
    path,
    backup: backup ?? null,
    diff: renderDiff(path, before, after),
  }));
}
