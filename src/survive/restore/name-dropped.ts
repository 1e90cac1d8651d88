/** An instruction file or a skill that the client had put into the window. */
export interface Instrument {
  readonly kind: "instructions" | "skill";
  readonly path: string;
  readonly isWhole: boolean;
}

/** More than this suggests that we misread the client. */
const MAX_NAMED = 10;

/** One line for each that was in the window before a compaction and is missing or cut after it. Named, not quoted: the model can read it again. */
export function nameDropped(
  before: readonly Instrument[],
  after: readonly Instrument[],
  shorten: (path: string) => string,
): readonly string[] {
  const still = new Map(after.map((instrument) => [instrument.path, instrument]));
  const unique = new Map(before.map((instrument) => [instrument.path, instrument]));
  return [...unique.values()]
    .filter(({ path }) => still.get(path)?.isWhole !== true)
    .slice(-MAX_NAMED)
    .map(({ kind, path }) => renderDropped(kind, shorten(path), still.has(path)));
}

function renderDropped(kind: Instrument["kind"], path: string, isCut: boolean): string {
  const what = isCut ? "cut short by the compaction" : "no longer in the window";
  if (kind === "skill") return `- Skill ${what}: read ${path} again before following it further`;
  return `- Instructions no longer in the window: read ${path} again before working where they apply`;
}
