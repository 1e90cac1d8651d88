/** The behavioural modes there are. Each is a text in `contexts/`; a name outside this list is never looked up on disk. */
export const MODES = ["dev", "research", "review"] as const;

export type Mode = (typeof MODES)[number];

export function isMode(name: string): name is Mode {
  return MODES.some((mode) => mode === name);
}
