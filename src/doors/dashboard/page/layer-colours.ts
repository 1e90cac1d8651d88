import type { ShownLayer } from "../wire.ts";

/** The sheet names the colours, one set per theme; a layer only says which of them is its own. */
export function nameColours(layers: readonly ShownLayer[]): readonly string[] {
  let tools = 0;
  return layers.map(({ kind }) => (kind === "tool" ? `--layer-tool-${++tools}` : `--layer-${kind}`));
}

export function readColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
