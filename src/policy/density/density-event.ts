/** How densely the model is asked to write. */
export type DensityMode = "caveman" | "normal";

/** For whom: the whole session, the summary of a team, or one workstream of it. */
export type DensityScope = "session" | "team" | `workstream:${string}`;

/** Who asked. `context-green` is the release after a compaction. */
export type DensitySource = "context-orange" | "context-red" | "context-green" | "user" | "workstream" | "team";

/** The broadcast that every change of density makes. Nothing else changes it, and nobody has to listen. */
export interface DensityEvent {
  readonly type: "output.density.set";
  readonly mode: DensityMode;
  readonly scope: DensityScope;
  readonly source: DensitySource;
}

const SOURCES: readonly DensitySource[] = [
  "context-orange",
  "context-red",
  "context-green",
  "user",
  "workstream",
  "team",
];

export function createDensityEvent(mode: DensityMode, scope: DensityScope, source: DensitySource): DensityEvent {
  return { type: "output.density.set", mode, scope, source };
}

/** An event from a log or another tool; `undefined` where it is not one. */
export function parseDensityEvent(value: unknown): DensityEvent | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("type" in value && "mode" in value && "scope" in value && "source" in value)) return undefined;
  const { type, mode, scope } = value;
  const source = SOURCES.find((name) => name === value.source);
  if (type !== "output.density.set" || (mode !== "caveman" && mode !== "normal")) return undefined;
  if (source === undefined || !isScope(scope)) return undefined;
  return { type, mode, scope, source };
}

function isScope(scope: unknown): scope is DensityScope {
  return scope === "session" || scope === "team" || (typeof scope === "string" && /^workstream:./.test(scope));
}
