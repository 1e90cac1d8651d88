import type { Mutant } from "./list-mutants.ts";

export interface Numbered extends Mutant {
  readonly id: number;
}

/** The source with all its mutants: each asks `isMutant` whether it is the one that runs. */
export function weaveMutants(text: string, mutants: readonly Numbered[]): string {
  const render = (start: number, end: number, inside: readonly Numbered[]): string => {
    const [first] = inside;
    if (!first) return text.slice(start, end);
    const { site } = first;
    const isWithin = (one: Numbered): boolean => one.site.start < site.end;
    const within = inside.slice(1).filter(isWithin);
    const after = inside.slice(1).filter((one) => !isWithin(one));
    const original = render(site.start, site.end, within);
    return text.slice(start, site.start) + choose(first, text, original) + render(site.end, end, after);
  };
  return render(0, text.length, mutants);
}

function choose({ id, site, change }: Numbered, text: string, original: string): string {
  const changed = text.slice(site.start, change.start) + change.text + text.slice(change.end, site.end);
  const asked = `globalThis.isMutant?.(${id})`;
  return site.isStatement ? `{ if (!${asked}) ${original} }` : `(${asked} ? (${changed}) : (${original}))`;
}
