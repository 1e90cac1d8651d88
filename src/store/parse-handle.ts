/** How stored content is asked for: `plimsoll:1a2b3c4d5e6f`, its digits alone, or `plimsoll:1a2b3c4d5e6f#12` for a section of it. */
export interface Handle {
  /** What names the whole original. */
  readonly original: string;
  /** As it stands behind the #; which lines that is, whoever folded it by sections knows. */
  readonly section?: string;
}

/** A name without a section is a handle, too: readable files are asked for by their name. */
export function parseHandle(given: string): Handle {
  const found = /^((?:plimsoll:)?[0-9a-fA-F]{6,64})#(\w{1,32})$/.exec(given);
  return found?.[1] === undefined || found[2] === undefined
    ? { original: given }
    : { original: found[1], section: found[2] };
}
