import type { Health } from "../../measure/health.ts";
import type { Handover } from "../../survive/record/handover.ts";
import { followRed, type RedInput } from "../advice/follow-red.ts";
import type { Command, Step } from "../command.ts";
import type { DensityEvent } from "../density/density-event.ts";
import type { PolicyState } from "../policy-state.ts";
import type { Settings } from "../settings/settings.ts";
import { type Due, due, tellDue } from "../tell-due.ts";

/** The window was weighed after a call: what its level asks to be said; at RED only after the state is on disk. */
export function measured(
  state: PolicyState,
  { health, model }: { readonly health: Health; readonly model: () => string },
  settings: Settings,
): Step {
  return follow(state, { kind: "measured", health, handover: NOTHING_YET }, { model, settings });
}

/** A save that was asked for is on disk, or why it is not: only then may the model be told that it is. */
export function saved(
  state: PolicyState,
  { why, model }: { readonly why: string | undefined; readonly model: () => string },
  settings: Settings,
): Step {
  const input: RedInput = why === undefined ? { kind: "saveConfirmed" } : { kind: "saveFailed", why };
  return follow(state, input, { model, settings });
}

/** Every change of density is heard in the journal. */
export function noteSignals(events: readonly DensityEvent[]): readonly Command[] {
  return events.map((signal) => ({ kind: "note", deed: { kind: "signal", signal } }));
}

/** The protocol wants one with every measure; what is saved is collected only once it asks for a save. */
const NOTHING_YET: Handover = {
  current: { task: "", phase: "" },
  filesTouched: [],
  decisions: [],
  remainingTasks: [],
};

function follow(
  state: PolicyState,
  input: RedInput,
  { model, settings }: { readonly model: () => string; readonly settings: Settings },
): Step {
  const isDensityAuto = settings.density === "auto";
  if (!settings.hasAdvisories && !isDensityAuto) return { state, commands: [] };
  const { state: red, events } = followRed(state.red, input, { isDensityAuto });
  const list = events.flatMap((event): readonly Due[] => {
    if (event.kind === "inject") return [due("density", "context", event.text)];
    if (event.kind !== "advice" || !settings.hasAdvisories) return [];
    return [due("advisory", event.advice.level, `${event.advice.text}\nNote: ${event.advice.note}`)];
  });
  const saves: readonly Command[] = events.some(({ kind }) => kind === "saveState") ? [{ kind: "save" }] : [];
  const signals = events.flatMap((event) => (event.kind === "density" ? noteSignals([event.event]) : []));
  const told = tellDue({ ...state, red }, list, model);
  return { state: told.state, commands: [...told.commands, ...signals, ...saves] };
}
