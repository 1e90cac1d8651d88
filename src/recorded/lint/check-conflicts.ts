import { findRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";
import type { InstructionFile, InstructionPlace } from "../../library/prompt/instructions/instruction-file.ts";
import { type Finding, inFile } from "./finding.ts";

/**
 * Rules that cannot all be followed in one window. `always` is what every request carries; a `nested` file is told when work goes to its
 * folder, beside those of the folders above it and never beside those of another part of the tree.
 */
export function checkConflicts(
  always: readonly InstructionFile[],
  nested: readonly InstructionFile[],
): readonly Finding[] {
  const folders = new Map(nested.map(({ path }) => [path, folderOf(path)]));
  const areTogether = (left: InstructionPlace, right: InstructionPlace): boolean => {
    const [one, other] = [folders.get(left.path), folders.get(right.path)];
    return one === undefined || other === undefined || one.startsWith(other) || other.startsWith(one);
  };
  return findRuleConflicts([...always, ...nested], { areTogether }).map(
    ({ subject, rules }): Finding => ({
      rule: "conflicting-rules",
      severity: "warning",
      evidence: inFile(rules[0]?.path ?? ""),
      what: `on "${subject}": ${rules.map(({ path, sentence }) => `${path} says "${sentence}"`).join(", ")}`,
      fix: "say it in one place",
    }),
  );
}

/** With its last slash, so that `api` is not above `api-tests`. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
