import { CliError } from "./command.ts";

/** An option that takes a whole number, at least `least`; `undefined` where it was not given. */
export function parseWhole(values: ReadonlyMap<string, string>, name: string, least: number): number | undefined {
  const given = values.get(name);
  if (given === undefined) return undefined;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least) return number;
  throw new CliError(`--${name} takes a whole number of at least ${least}, not "${given}"`);
}
