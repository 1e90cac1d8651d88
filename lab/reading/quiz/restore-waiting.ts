import type { Arrival, SessionEvent } from "../../../src/core/event.ts";
import type { Recording } from "../../../src/measure/recording.ts";

export interface Restored {
  readonly recording: Recording;
  /** What had arrived when the client compacted, and was sent to nobody but the one who wrote the summary. */
  readonly waiting: ReadonlySet<Arrival>;
}

/**
 * A recording tells what each request carried. What arrived just before a compaction was carried by none: a result, a prompt. Where
 * another policy keeps the window small it would have been, by the request that came next.
 */
export function restoreWaiting({ steps, ...recording }: Recording, events: readonly SessionEvent[]): Restored {
  const placed = new Set(steps.flatMap(({ arrivals }) => arrivals));
  const waiting = new Set<Arrival>();
  const joining = new Map<string, readonly Arrival[]>();
  let lost: Arrival[] = [];
  const known = new Set<string>();
  for (const event of events) {
    if (event.kind === "arrival" && isSaid(event) && !placed.has(event)) lost.push(event);
    if (event.kind !== "output" || known.has(event.stepId)) continue;
    known.add(event.stepId);
    if (lost.length > 0) joining.set(event.stepId, lost);
    for (const arrival of lost) waiting.add(arrival);
    lost = [];
  }
  const restored = steps.map((step) => {
    const arrivals = joining.get(step.id);
    return arrivals ? { ...step, arrivals: [...arrivals, ...step.arrivals] } : step;
  });
  return { recording: { ...recording, steps: restored }, waiting };
}

/** What a client says by itself it says again. */
function isSaid({ source }: Arrival): boolean {
  return source === "prompt" || source === "toolResult";
}
