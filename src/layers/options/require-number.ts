export interface NumberRange {
  readonly least: number;
  /** What to pass instead, in the words of who reads the error. */
  readonly fix: string;
}

/** A number option, or a `TypeError` that names it with the fix. Endless is a number too: it switches a limit off. */
export function requireNumber(name: string, value: number, { least, fix }: NumberRange): number {
  if (typeof value === "number" && value >= least) return value;
  throw new TypeError(`${name} must be a number of at least ${least}, not ${String(value)}: ${fix}`);
}
