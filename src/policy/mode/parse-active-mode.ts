/** What the files that set the mode hold; `undefined` where there is no such file. */
export interface ModeFiles {
  /** `.plimsoll/active-context.md` */
  readonly own: string | undefined;
  /** `.rune/active-context.md`, read only where ours is absent. */
  readonly legacy: string | undefined;
}

export type ActiveMode =
  | { readonly kind: "none" }
  | { readonly kind: "set"; readonly mode: Mode; readonly file: keyof ModeFiles }
  | { readonly kind: "rejected"; readonly file: keyof ModeFiles; readonly warning: string };

/** The word that says "no mode" in a file of ours, so that one can be switched off where the other file sets one. */
export const NO_MODE = "off";

const SHOWN_CHARACTERS = 40;

/**
 * The file holds a bare name. It is compared, never used as a path: `../../x` is a wrong name like any other.
 * An empty file sets nothing, as an absent one does.
 */
export function parseActiveMode({ own, legacy }: ModeFiles): ActiveMode {
  const file = own === undefined ? "legacy" : "own";
  const name = (own ?? legacy ?? "").trim();
  if (name === "" || name === NO_MODE) return { kind: "none" };
  if (isMode(name)) return { kind: "set", mode: name, file };
  return { kind: "rejected", file, warning: renderWarning(name, file) };
}

function renderWarning(name: string, file: keyof ModeFiles): string {
  const place = file === "own" ? ".plimsoll/active-context.md" : ".rune/active-context.md";
  // The text of a stranger's file, shown to the person: short, and nothing that a terminal would act on.
  const shown = name.slice(0, SHOWN_CHARACTERS).replace(/[^\x20-\x7e]/g, "?");
  return `${place} names no known mode ("${shown}"), so no mode was applied. Known modes: ${MODES.join(", ")}.`;
}

/** The behavioural modes there are. Each is a text in `contexts/`; a name outside this list is never looked up on disk. */
export const MODES = ["dev", "research", "review"] as const;

export type Mode = (typeof MODES)[number];

export function isMode(name: string): name is Mode {
  return MODES.some((mode) => mode === name);
}
