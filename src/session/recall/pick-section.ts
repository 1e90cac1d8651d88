import { parseSections } from "../../layers/ledger/sections.ts";

/** A handle as the model writes it: `plimsoll:1a2b3c4d5e6f`, with `#12` for line 12 of a stretch of ledger. */
export interface WantedOriginal {
  readonly digits: string;
  readonly section: string | undefined;
}

export function parseHandle(handle: string): WantedOriginal | undefined {
  const found = /^(?:plimsoll:)?([0-9a-f]{6,64})(?:#(\w{1,20}))?$/.exec(handle.trim());
  return found?.[1] === undefined ? undefined : { digits: found[1], section: found[2] };
}

/**
 * What a handle stands for, out of the stored text that its digits name: the text itself, one section of it, or, where a stretch
 * of ledger is asked for whole, what there is in it. A line that only called something gives what it was called with.
 */
export function pickSection(text: string, section: string | undefined): string | undefined {
  const sections = parseSections(text);
  if (sections === undefined) return section === undefined ? text : undefined;
  if (section !== undefined) return sections.get(section) ?? sections.get(`${section}i`);
  const lines = [...sections].map(([name, content]) => `#${name}: ${content.length} characters`);
  return ["Ask for one of these by its number (12i is what line 12 was called with):", ...lines].join("\n");
}
