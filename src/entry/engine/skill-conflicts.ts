import path from "node:path";
import { readPlainText } from "../../files/private-files.ts";
import { baseline, parseFrontMatter } from "../../hosts/claude-code/disk/baseline/baseline.ts";
import type { Environment } from "../../hosts/host.ts";
import { findRuleConflicts } from "../../library/prompt/instructions/find-rule-conflicts.ts";

/** A skill is a page or two; a project with more of them than this has a collection, not rules. */
const MOST_SKILLS = 200;
const MOST_BYTES = 200_000;
const MOST_LINES = 3;

/** Skills of which a model cannot follow both, a line each, with both named; none is picked. */
export function describeSkillConflicts(environment: Environment, project: string): readonly string[] {
  const { skills } = baseline.readDefinitions(environment, project, "dense");
  const names = new Map(skills.slice(0, MOST_SKILLS).map((skill) => [skill.path, skill.name]));
  const files = [...names.keys()].map((file) => {
    const text = parseFrontMatter(readPlainText(file, MOST_BYTES) ?? "").body;
    return { scope: "project" as const, path: file, text };
  });
  const found = findRuleConflicts(files).map(({ subject, rules }) => {
    const said = rules.map((rule) => `${names.get(rule.path) ?? path.basename(rule.path)} says "${rule.sentence}"`);
    return `Skills disagree on ${subject}: ${said.join(", ")}. None was picked: change one of them, or say which one holds`;
  });
  const more = found.length - MOST_LINES;
  return [
    ...found.slice(0, MOST_LINES),
    ...(more > 0 ? [`${more} more conflicts between skills: plimsoll lint lists them`] : []),
  ];
}
