/** Wrong options are the caller's mistake: the error names the option and the fix. `undefined` means the default and is valid. */
export function requireAtLeast(least: number, name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be ${least} or more, not ${value}`);
}

/** The same for options that take whole numbers. */
export function requireWhole(least: number, options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options))
    if (!Number.isInteger(value) || value < least)
      throw new TypeError(`${name} is ${value}: use a whole number of at least ${least}`);
}
