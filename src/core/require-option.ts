/** Wrong options are the caller's mistake: the error names the option and the fix. `undefined` means the default and is valid. */
export function requireAtLeast(least: number, name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be ${least} or more, not ${value}`);
}
