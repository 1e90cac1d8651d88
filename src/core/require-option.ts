/** Wrong options are the caller's mistake: they are named, with the fix. `undefined` means the default and is right. */
export function requireAtLeast(least: number, name: string, value: number | undefined): void {
  if (value !== undefined && !(value >= least)) throw new TypeError(`${name} must be ${least} or more, not ${value}`);
}
