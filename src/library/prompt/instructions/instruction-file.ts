/** Where an instruction file comes from, in the order in which they are told: from the widest to the narrowest but for parents. */
export const SCOPES = ["organisation", "user", "project", "parent", "child"] as const;

export type Scope = (typeof SCOPES)[number];

export interface InstructionPlace {
  readonly scope: Scope;
  readonly path: string;
}

export interface InstructionFile extends InstructionPlace {
  readonly text: string;
}

/** By scope; within one scope as they were given. */
export function sortByScope<T extends InstructionPlace>(files: readonly T[]): readonly T[] {
  return SCOPES.flatMap((scope) => files.filter((file) => file.scope === scope));
}
