import type { Rule } from "./parse-rule.ts";

/** Things of which a project uses one. */
export type Alternatives = Readonly<Record<string, readonly string[]>>;

export const ALTERNATIVES: Alternatives = {
  "package manager": ["npm", "pnpm", "yarn", "bun"],
  "Python packages": ["pip", "poetry", "pipenv", "uv"],
  indentation: ["tabs", "spaces"],
  quotes: ["single quotes", "double quotes"],
  "module format": ["commonjs", "esm", "es modules"],
  "test runner": ["jest", "vitest", "mocha", "ava"],
  "Python test runner": ["pytest", "unittest"],
  "merge strategy": ["squash", "rebase", "merge commits"],
  "line endings": ["lf", "crlf"],
};

export interface Choice {
  readonly group: string;
  /** Whichever the rule allows: "use npm or yarn" allows two. */
  readonly members: readonly string[];
}

/** "Use npm", "indent with tabs": what a rule chooses. "Publish to npm" chooses nothing. */
export function listChoices({ action, isNegated }: Rule, alternatives: Alternatives): readonly Choice[] {
  if (isNegated || !/^(?:use|indent|default|stick|install|manage|format)\b/.test(action)) return [];
  const padded = ` ${action.replace(/[.,;:]/g, " ")} `;
  return Object.entries(alternatives).flatMap(([group, all]) => {
    const members = all.filter((member) => padded.includes(` ${member.toLowerCase()} `));
    return members.length === 0 ? [] : [{ group, members }];
  });
}
