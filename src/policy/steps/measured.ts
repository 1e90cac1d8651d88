import type { Health } from "../../measure/health.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { describeBoundary } from "../advice/find-boundary.ts";
import { followRed, type RedInput } from "../advice/follow-red.ts";
import { chain, type PolicyCommand, type PolicyStep } from "../command.ts";
import type { DensityEvent } from "../density/density-state.ts";
import { due, type Injection, tellDue } from "../injection/compose-injections.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { loopSaved } from "./looped.ts";
import { warnOf } from "./opened.ts";

/** The window was measured after a call. Says what its level requires; at RED only after the state is on disk. */
export function measured(state: PolicyState, { health, model, happened }: Measured, settings: Settings): PolicyStep {
  return follow(state, { kind: "measured", health }, { model, settings, happened });
}

export interface Measured {
  readonly health: Health;
  readonly model: () => string;
  /** Called only if the next safe place to compact is to be named. */
  readonly happened?: (() => Happened | undefined) | undefined;
}

/** A requested save is on disk, or `why` says why not. Only then may the model be told that it is. */
export function saved(
  state: PolicyState,
  { why, model }: { readonly why: string | undefined; readonly model: () => string },
  settings: Settings,
): PolicyStep {
  const input: RedInput = why === undefined ? { kind: "saveConfirmed" } : { kind: "saveFailed", why };
  return chain(follow(state, input, { model, settings }), (next) => loopSaved(next, why, model));
}

export function noteSignals(events: readonly DensityEvent[]): readonly PolicyCommand[] {
  return events.map((signal) => ({ kind: "note", deed: { kind: "signal", signal } }));
}

function follow(
  state: PolicyState,
  input: RedInput,
  { model, settings, happened }: Pick<Measured, "model" | "happened"> & { readonly settings: Settings },
): PolicyStep {
  const isDensityAuto = settings.density === "auto";
  if (!settings.hasAdvisories && !isDensityAuto) return { state, commands: [] };
  const { state: red, events } = followRed(state.red, input, { isDensityAuto });
  const list = events.flatMap((event): readonly Injection[] => {
    if (event.kind === "inject") return [due("density", "context", event.text)];
    if (event.kind !== "advice" || !settings.hasAdvisories) return [];
    const { kind, level, text, note } = event.advice;
    const more = kind === "critical" ? `\n${ONLY_A_PERSON}` : level === "ORANGE" ? nameBoundary(happened?.()) : "";
    return [due("advisory", level, `${text}\nNote: ${note}${more}`)];
  });
  const warnings = events.flatMap((event) =>
    event.kind === "advice" && event.advice.kind === "critical" && settings.hasAdvisories
      ? warnOf(event.advice.text)
      : [],
  );
  const saves: readonly PolicyCommand[] = events.some(({ kind }) => kind === "saveState") ? [{ kind: "save" }] : [];
  const signals = events.flatMap((event) => (event.kind === "density" ? noteSignals([event.event]) : []));
  const told = tellDue({ ...state, red }, list, model);
  return { state: told.state, commands: [...told.commands, ...warnings, ...signals, ...saves] };
}

/** The user sees the words on their screen; the model cannot do what they ask. */
const ONLY_A_PERSON =
  "Only the user can run /compact, and the user has been told. Finish the current step and start nothing large.";

/** Names the boundary, which says more than "at the next phase boundary". */
function nameBoundary(happened: Happened | undefined): string {
  return happened === undefined ? "" : `\nboundary: ${describeBoundary(happened)}`;
}
