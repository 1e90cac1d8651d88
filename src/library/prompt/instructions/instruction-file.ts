/** Where an instruction file comes from, in loading order: from the widest scope to the narrowest, except for parents. */
export const SCOPES = ["organisation", "user", "project", "parent", "child"] as const;

export type Scope = (typeof SCOPES)[number];

export interface InstructionPlace {
  readonly scope: Scope;
  readonly path: string;
}

export interface InstructionFile extends InstructionPlace {
  readonly text: string;
}

/** By scope; within a scope the given order stays. */
export function sortByScope<T extends InstructionPlace>(files: readonly T[]): readonly T[] {
  return SCOPES.flatMap((scope) => files.filter((file) => file.scope === scope));
}

/** Without fenced examples. */
export function dropFences(text: string): string {
  const parts = text.split("```");
  return parts.filter((_, index) => index % 2 === 0).join("\n\n");
}
