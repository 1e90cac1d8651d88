/** Contents of the files that set the mode; `undefined` if there is no such file. */
export interface ModeFiles {
  /** `.plimsoll/active-context.md` */
  readonly own: string | undefined;
  /** `.rune/active-context.md`, read only if ours is absent. */
  readonly legacy: string | undefined;
}

export type ActiveMode =
  | { readonly kind: "none" }
  | { readonly kind: "set"; readonly mode: Mode; readonly file: keyof ModeFiles }
  | { readonly kind: "rejected"; readonly file: keyof ModeFiles; readonly warning: string };

/** Means "no mode" in our own file, so that it can switch off a mode that the other file sets. */
export const NO_MODE = "off";

const SHOWN_CHARACTERS = 40;

/** The file holds a bare name. It is compared and never used as a path, so `../../x` is just an unknown name. An empty file counts as absent. */
export function parseActiveMode({ own, legacy }: ModeFiles): ActiveMode {
  const file = own === undefined ? "legacy" : "own";
  const name = (own ?? legacy ?? "").trim();
  if (name === "" || name === NO_MODE) return { kind: "none" };
  if (isMode(name)) return { kind: "set", mode: name, file };
  return { kind: "rejected", file, warning: renderWarning(name, file) };
}

function renderWarning(name: string, file: keyof ModeFiles): string {
  const place = file === "own" ? ".plimsoll/active-context.md" : ".rune/active-context.md";
  // The file may be anyone's, and the user sees its text: keep it short and free of terminal control characters.
  const shown = name.slice(0, SHOWN_CHARACTERS).replace(/[^\x20-\x7e]/g, "?");
  return `${place} names no known mode ("${shown}"), so no mode was applied. Known modes: ${MODES.join(", ")}.`;
}

/** Each mode is a text in `contexts/`. A name outside this list is never looked up on disk. */
export const MODES = ["dev", "research", "review"] as const;

export type Mode = (typeof MODES)[number];

export function isMode(name: string): name is Mode {
  return MODES.some((mode) => mode === name);
}
